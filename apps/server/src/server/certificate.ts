import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError } from "../command-error.ts";

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly notices: readonly string[];
}

interface Files {
  readonly tls_cert: string;
  readonly tls_key: string;
}

/** None where none is set. One that no browser would take, or that isn't the key's, throws a `CommandError`. */
export function readCertificate(files: Files, home: string, hosts: readonly string[]): Certificate | undefined {
  const { tls_cert, tls_key } = files;
  if (tls_cert === "" && tls_key === "") return undefined;
  if (tls_cert === "" || tls_key === "")
    throw new CommandError(`server.${tls_cert === "" ? "tls_cert" : "tls_key"} is missing: they go together`);
  const cert = read("tls_cert", resolve(home, tls_cert));
  const key = read("tls_key", resolve(home, tls_key));
  const found = parse(tls_cert, cert);
  assertPair(found, key, files);
  for (const host of hosts) {
    const name = host.replace("{computer}", "ada");
    if (found.checkHost(name, { partialWildcards: false }) === undefined)
      throw new CommandError(`server.tls_cert ${tls_cert} is not for ${name}, but for ${namesIn(found)}`);
  }
  return { cert, key, notices: noticesOf(tls_cert, found) };
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CommandError(`server.${setting} can't be read: ${error instanceof Error ? error.message : error}`);
  }
}

function parse(name: string, cert: Buffer): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch {
    throw new CommandError(`server.tls_cert ${name} is no certificate in PEM`);
  }
}

function assertPair(cert: X509Certificate, key: Buffer, { tls_cert, tls_key }: Files): void {
  try {
    if (cert.checkPrivateKey(createPrivateKey(key))) return;
  } catch {
    // it is no key, or has a password: the same has to be done about it
  }
  throw new CommandError(
    `server.tls_key ${tls_key} can't be used with server.tls_cert ${tls_cert}: it has to be its key, in PEM, without a password`,
  );
}

function namesIn({ subject, subjectAltName }: X509Certificate): string {
  return (subjectAltName ?? subject ?? "nobody").replaceAll("DNS:", "").replaceAll("\n", ", ");
}

function noticesOf(name: string, { validTo }: X509Certificate): string[] {
  return Date.parse(validTo) > Date.now()
    ? []
    : [`server.tls_cert ${name} is good no longer: it was until ${validTo}.`];
}
