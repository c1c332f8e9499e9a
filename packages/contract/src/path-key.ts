import type { Path } from "./path.ts"; // the type alone: this file is for threads too, which would load the schemas for nothing

const encoder = new TextEncoder();

/**
 * One string for each path, to compare and to index by: the path itself where it is UTF-8. A byte that is no part of
 * valid UTF-8 is written `//` and two hex digits; a path has no empty part, so that can't be anything else.
 */
export function pathKey(path: Path): string {
  return typeof path === "string" ? path : keyFromBytes(decodeBase64(path.b64));
}

/** The path of a key in its one spelling. */
export function pathFromKey(key: string): Path {
  return key.includes("//") ? pathFromBytes(keyBytes(key)) : key;
}

/** The key of the directory that a key stands in; `undefined` at the top. */
export function parentKey(key: string): string | undefined {
  const slash = key.includes("//") ? key.replaceAll(ODD_BYTE, "____").lastIndexOf("/") : key.lastIndexOf("/");
  return slash < 0 ? undefined : key.slice(0, slash);
}

/**
 * Whether a key stands below the directory `above`, at any depth. The prefix `above/` alone doesn't tell: it is also that
 * of a neighbour whose name goes on with an odd byte (`above//ff`).
 */
export function isBelow(key: string, above: string): boolean {
  if (!key.startsWith(`${above}/`)) return false;
  return key.charAt(above.length + 1) !== "/" || key.charAt(above.length + 2) === "/";
}

/** Whether it is a `.git`, or lies in one: git's own, which nobody reads. */
export function isGits(key: string): boolean {
  return /(?:^|\/)\.git(?:$|\/(?!\/[^/]))/.test(key);
}

/** The bytes of a key's path, as a file system takes them. */
export function keyBytes(key: string): Uint8Array<ArrayBuffer> {
  if (!key.includes("//")) return encoder.encode(key);
  const parts = key.split(ODD_BYTE); // text, digits, text, …
  const bytes = parts.map((part, i) => (i % 2 === 0 ? encoder.encode(part) : Uint8Array.of(Number.parseInt(part, 16))));
  return joined(bytes);
}

/** The key of a path in bytes. */
export function keyFromBytes(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  let key = "";
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAfter(bytes[at] ?? 0);
    const character = decodeUtf8(bytes.subarray(at, at + length));
    key += character ?? `//${(bytes[at] ?? 0).toString(16).padStart(2, "0")}`;
    at += character === undefined ? 1 : length;
  }
  return key;
}

/** The path of these bytes in its one spelling. Doesn't judge it: parse it with `Path`. */
export function pathFromBytes(bytes: Uint8Array): Path {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  return { b64: encodeBase64(bytes) };
}

export function pathBytes(path: Path): Uint8Array<ArrayBuffer> {
  return typeof path === "string" ? encoder.encode(path) : decodeBase64(path.b64);
}

export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte); // all at once would be one argument a byte
  return btoa(binary);
}

export function decodeBase64(b64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(b64), (char) => char.charCodeAt(0));
}

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined; // not UTF-8: that is the answer, not an error
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** `///ff` is a slash and then a byte, for a slash is no digit. */
const ODD_BYTE = /\/\/([0-9a-f]{2})/g;

/** How many bytes a character has that begins with this one; the decoder judges whether it really is one. */
function lengthAfter(first: number): number {
  if (first < 0xc0) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
