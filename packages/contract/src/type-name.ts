import { z } from "zod";

const CANONICAL = /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)*$/;
const MAX_LENGTH = 64;

/** How an event type is spelled: lower-case words with dots between them, so that it can stand in a subject. */
export const TypeName = z
  .string()
  .max(MAX_LENGTH, `must be at most ${MAX_LENGTH} characters`)
  .regex(CANONICAL, "must be lower-case words with dots between them, like 'file.write'");
export type TypeName = z.infer<typeof TypeName>;

/** The canonical spelling of a type (`FILE_WRITE`, `file_write` and `file.write` are one), or `undefined` where there is none. */
export function canonicalTypeName(spelling: string): TypeName | undefined {
  // Letter by letter, for `toLowerCase` makes plain letters of some that aren't: the Kelvin sign becomes a k.
  const plain = spelling.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return TypeName.safeParse(plain.replaceAll("_", ".")).data;
}
