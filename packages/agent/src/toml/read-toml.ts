import { readFile } from "node:fs/promises";
import { parse, TomlError } from "smol-toml";
import type { z } from "zod";
import { locate } from "./locate.ts";
import { shownName } from "./shown-name.ts";

/** A message names the file, the line and what is wanted; never a value, which may be a key in the wrong place. */
export type TomlReading<Value> =
  | { readonly ok: true; readonly value: Value /** As it stands there. */; readonly text: string }
  | { readonly ok: false; readonly message: string };

/** A file of settings. One that isn't there is an empty one. */
export async function readToml<Value>(file: string, schema: z.ZodType<Value>): Promise<TomlReading<Value>> {
  const bytes = await bytesOf(file);
  if (bytes instanceof Error) return { ok: false, message: `${file} can't be read: ${bytes.message}` };
  try {
    return parseToml(new TextDecoder("utf-8", { fatal: true }).decode(bytes), schema, file);
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, message: `${file} is not UTF-8 text` };
    throw error;
  }
}

export function parseToml<Value>(text: string, schema: z.ZodType<Value>, file: string): TomlReading<Value> {
  let table: unknown;
  try {
    table = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // without the piece of the file that the parser adds below
    const [reason = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
    return { ok: false, message: `${file}:${error.line}: is not TOML: ${reason}` };
  }
  const value = schema.safeParse(table);
  if (value.success) return { ok: true, value: value.data, text };
  return { ok: false, message: messageOf(file, text, value.error) };
}

/** The first thing that is wrong: who mends it reads the next. */
function messageOf(file: string, text: string, error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return `${file} is wrong`;
  const path = issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
  const line = lineOf(text, path);
  const where = path.map(shownName).join(".");
  const what = issue.code === "unrecognized_keys" ? "is not a setting" : issue.message;
  return `${file}${line === undefined ? "" : `:${line}`}: ${where === "" ? "" : `${where}: `}${what}`;
}

/** What is missing has no line; what it is missing from does. */
function lineOf(text: string, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const line = locate(text, path.slice(0, length));
    if (line !== undefined) return line;
  }
  return undefined;
}

async function bytesOf(file: string): Promise<Uint8Array | Error> {
  try {
    return await readFile(file);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return "code" in error && error.code === "ENOENT" ? new Uint8Array() : error;
  }
}
