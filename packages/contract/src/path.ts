import { z } from "zod";

const MAX_BYTES = 4096;
const MAX_ENCODED = Math.ceil(MAX_BYTES / 3) * 4;
/** What `atob` takes without throwing; its own leniency about spaces is left out. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const encoder = new TextEncoder();

/**
 * Where something is, from the computer's root (`workspace/notes.md`). A name that isn't UTF-8 is `{b64}` of its bytes.
 * Every path has exactly one spelling, so that two events that mean one file say so.
 */
export const Path = z.union([
  z.string().superRefine((path, context) => {
    const wrong = path.isWellFormed() ? fault(path, bytesIn(path)) : "must be well-formed Unicode";
    if (wrong !== undefined) context.addIssue({ code: "custom", message: wrong });
  }),
  z.strictObject({
    b64: z.string().superRefine((b64, context) => {
      const wrong = faultOfEncoded(b64);
      if (wrong !== undefined) context.addIssue({ code: "custom", message: wrong });
    }),
  }),
]);
export type Path = z.infer<typeof Path>;

/** One string for each path, to compare and to index by. A `{b64}` can't collide with text: no text holds a NUL. */
export function pathKey(path: Path): string {
  return typeof path === "string" ? path : `\0${path.b64}`;
}

/** The path of these bytes in its one spelling. Doesn't judge it: parse it with `Path`. */
export function pathFromBytes(bytes: Uint8Array): Path {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  return { b64: encodeBase64(bytes) };
}

export function pathBytes(path: Path): Uint8Array {
  return typeof path === "string" ? encoder.encode(path) : decodeBase64(path.b64);
}

const EMPTY_PART = /^\/|\/\/|\/$/;
const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** What is wrong with a path: as text, or with one character for each byte. */
function fault(path: string, bytes: number): string | undefined {
  if (path === "") return "must not be empty";
  if (bytes > MAX_BYTES) return `must be at most ${MAX_BYTES} bytes`;
  if (path.includes("\0")) return "must not contain NUL";
  if (EMPTY_PART.test(path)) return "must be relative, with no empty part";
  if (DOTS.test(path)) return "must not contain '.' or '..' as a part";
  return undefined;
}

/** How many bytes a text has; where it can't be too many, nobody counts. */
function bytesIn(text: string): number {
  return text.length * 3 > MAX_BYTES ? encoder.encode(text).length : text.length;
}

function faultOfEncoded(b64: string): string | undefined {
  if (b64.length > MAX_ENCODED) return `must be at most ${MAX_BYTES} bytes`;
  if (!BASE64.test(b64)) return "must be canonical base64";
  const bytes = decodeBase64(b64);
  if (encodeBase64(bytes) !== b64) return "must be canonical base64";
  if (decodeUtf8(bytes) !== undefined) return "is UTF-8: write it as a string";
  return fault(atob(b64), bytes.length);
}

function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte); // all at once would be one argument a byte
  return btoa(binary);
}

function decodeBase64(b64: string): Uint8Array {
  return Uint8Array.from(atob(b64), (char) => char.charCodeAt(0));
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // not UTF-8: that is the answer, not an error
  }
}
