import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** `cert.pem` and `key.pem` in a folder, for these names, signed by itself, good for two days. */
export function makeCertificate(folder: string, names: readonly string[]): void {
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  const about = ["-subj", `/CN=${names[0]}`, "-addext", `subjectAltName=${names.map((name) => `DNS:${name}`)}`];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...key, ...files, "-days", "2", ...about], { stdio: "ignore" });
}
