import { hash, randomBytes } from "node:crypto";
import { keyBytes, keyFromBytes } from "@choiros/contract/path-key";

/** What of a computer's root is captured. `.git` and `.choir` stand beside these, so no key leads there. */
export const AREAS = ["workspace", "artifacts", "choiros"] as const;

/** One name in a directory, as Node takes it: text where it is UTF-8, else its bytes. */
export type Name = string | Buffer;

/** The parts of a key, each a key of its own, or what is wrong with it. Checked here again, whoever checked it before. */
export function partsOf(key: string): readonly string[] | { readonly why: string } {
  const why = faultOf(key);
  if (why !== undefined) return { why };
  const parts = split(key);
  if (!AREAS.some((area) => area === parts[0])) return { why: `is not in ${AREAS.join(", ")}` };
  if (parts.some((part) => part === "" || part === "." || part === "..")) return { why: "has a part that is no name" };
  if (parts.some((part) => part.length > MAX_NAME / 3 && keyBytes(part).length > MAX_NAME)) {
    return { why: "has a name that is too long" };
  }
  return parts;
}

export function nameOf(part: string): Name {
  return part.includes("//") ? Buffer.from(keyBytes(part)) : part;
}

/**
 * A directory's names are read with one character for each byte: for nearly all of them that already is the text.
 * `part` is how a key spells it.
 */
export function readName(latin1: string): { name: Name; part: string } {
  if (!NOT_ASCII.test(latin1)) return { name: latin1, part: latin1 };
  const bytes = Buffer.from(latin1, "latin1");
  const part = keyFromBytes(bytes);
  return { name: part.includes("//") ? bytes : part, part };
}

/**
 * What a landing writes before it gives it its name. A scan takes no notice of it, but to remove what a crash left. Made
 * with a secret of this folder's: nobody else's file bears such a name by chance, and is removed for it.
 */
export function temporaryName(secret: string): string {
  const random = randomName();
  return `${TEMPORARY}${random}${proofOf(random, secret)}`;
}

export function isTemporary(part: string, secret: string): boolean {
  if (!part.startsWith(TEMPORARY)) return false;
  const rest = part.slice(TEMPORARY.length);
  return rest.slice(16) === proofOf(rest.slice(0, 16), secret);
}

/** A hundred thousand names with a question to the system for each would take seconds. */
const chance = { bytes: Buffer.alloc(0), at: 0 };

function randomName(): string {
  if (chance.at >= chance.bytes.length) Object.assign(chance, { bytes: randomBytes(8192), at: 0 });
  chance.at += 8;
  return chance.bytes.toString("hex", chance.at - 8, chance.at);
}

function proofOf(random: string, secret: string): string {
  return hash("sha256", `${secret} ${random}`).slice(0, 16);
}

const TEMPORARY = ".choir-landing-";
/** Written without a range from NUL, which would be a control character. */
const NOT_ASCII = /[\u0080-\u00ff]/;
const ODD_BYTE = /\/\/[0-9a-f]{2}/g;
const MAX_BYTES = 4096;
/** Linux, whatever the file system. */
const MAX_NAME = 255;

function faultOf(key: string): string | undefined {
  if (key.length > MAX_BYTES * 4) return "is too long";
  if (!key.isWellFormed()) return "is not well-formed Unicode";
  if (key.includes("\0")) return "holds a NUL";
  if (key.includes("//") && keyFromBytes(keyBytes(key)) !== key) return "is not spelled as a key is";
  if (key.length * 3 > MAX_BYTES && keyBytes(key).length > MAX_BYTES) return "is too long";
  return undefined;
}

function split(key: string): string[] {
  if (!key.includes("//")) return key.split("/");
  const marked = key.replaceAll(ODD_BYTE, "____"); // same places, no slashes but those between parts
  const parts: string[] = [];
  let start = 0;
  for (const part of marked.split("/")) {
    parts.push(key.slice(start, start + part.length));
    start += part.length + 1;
  }
  return parts;
}
