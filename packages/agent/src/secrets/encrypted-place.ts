import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { SecretFile } from "./secret-file.ts";
import type { SecretPlace } from "./secrets.ts";
import { SecretsError } from "./secrets-error.ts";

const Sealed = z.object({ iv: z.string(), tag: z.string(), text: z.string() });
const Entries = z.object({ salt: z.string(), secrets: z.record(z.string(), Sealed) });
type Sealed = z.infer<typeof Sealed>;

/** So much work for each guess at the passphrase. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const derive: (passphrase: string, salt: Buffer, length: number, cost: object) => Promise<Buffer> = promisify(scrypt);

/** A file that is encrypted (AES-256-GCM) with what the owner gives the server at its start. */
export function encryptedPlace(home: string, passphrase: string | undefined): SecretPlace {
  const path = join(home, "secrets-encrypted.json");
  const file = new SecretFile(path, Entries);
  const keys = new Map<string, Promise<Buffer>>();
  const keyOf = (salt: string): Promise<Buffer> => {
    const key = keys.get(salt) ?? derive(passphrase ?? "", Buffer.from(salt, "base64"), 32, COST);
    keys.set(salt, key);
    return key;
  };
  return {
    where: `in the file ${path}, encrypted with CHOIR_SECRET_KEY`,
    usable: () => Promise.resolve(passphrase !== undefined && passphrase !== ""),
    get: async (name) => {
      const entries = await file.read();
      const sealed = entries === undefined ? undefined : new Map(Object.entries(entries.secrets)).get(name);
      if (entries === undefined || sealed === undefined) return undefined;
      return opened(await keyOf(entries.salt), name, sealed, path);
    },
    set: (name, value) =>
      file.change(async (entries) => {
        const salt = entries?.salt ?? randomBytes(16).toString("base64");
        const key = await keyOf(salt);
        // one file has one passphrase: what is there must open
        for (const [other, sealed] of Object.entries(entries?.secrets ?? {}).slice(0, 1))
          opened(key, other, sealed, path);
        return { salt, secrets: { ...entries?.secrets, [name]: sealedWith(key, name, value) } };
      }),
    remove: (name) =>
      file.change(async (entries) => {
        const { [name]: _, ...secrets } = entries?.secrets ?? {};
        return entries !== undefined && Object.keys(secrets).length > 0 ? { salt: entries.salt, secrets } : undefined;
      }),
  };
}

/** Its name is sealed with it: none can be put in another's place. */
function sealedWith(key: Buffer, name: string, value: string): Sealed {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(name));
  const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return { iv: iv.toString("base64"), tag: cipher.getAuthTag().toString("base64"), text: text.toString("base64") };
}

function opened(key: Buffer, name: string, { iv, tag, text }: Sealed, path: string): string {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64"), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(name)).setAuthTag(Buffer.from(tag, "base64"));
    return Buffer.concat([decipher.update(Buffer.from(text, "base64")), decipher.final()]).toString("utf8");
  } catch {
    throw new SecretsError(
      `${path} doesn't open with this CHOIR_SECRET_KEY. Start with the one that it was written with, or remove the file and connect the providers again.`,
    );
  }
}
