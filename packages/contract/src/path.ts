import { z } from "zod";
import { decodeBase64, decodeUtf8, encodeBase64 } from "./path-key.ts";

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
