import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate that a host signed for itself. */
export function certificateFor(host: string): Certificate {
  const dir = mkdtempSync(join(tmpdir(), "choir-certificate-"));
  try {
    const [key, cert] = [join(dir, "key.pem"), join(dir, "cert.pem")];
    const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
    execFileSync("openssl", ["req", ...kind, ...subject, "-keyout", key, "-out", cert], { stdio: "pipe" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
