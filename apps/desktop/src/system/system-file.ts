import { type Layout, parseLayout, type Recognised, SYSTEM_KEYS, type Theme } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import type { FileLine } from "../desk/shapes.ts";
import { fileSize } from "../words.ts";
import { parseReadable } from "./theme-fault.ts";

/** One of the files that the desktop is made of: what it is read as. */
export interface SystemFile<Value> {
  readonly key: string;
  /** In bytes. */
  readonly most: number;
  read(response: Response): Promise<Recognised<Value>>;
}

const MOST_TEXT = 1_000_000;
/** So many versions back a good one is looked for. */
const MOST_VERSIONS = 100;

export const SYSTEM_FOLDER = "artifacts/system";
export const THEME: SystemFile<Theme> = textFile(SYSTEM_KEYS.theme, parseReadable);
export const LAYOUT: SystemFile<Layout> = textFile(SYSTEM_KEYS.layout, parseLayout);

export function textFile<Value>(key: string, parse: (text: string) => Recognised<Value>): SystemFile<Value> {
  return { key, most: MOST_TEXT, read: async (response) => parse(await response.text()) };
}

/** What it says now, or said at an event; or what is wrong with it. */
export async function readVersion<Value>(
  api: DeskApi,
  { key, most, read }: SystemFile<Value>,
  entry: FileLine["entry"],
  at?: number,
): Promise<Recognised<Value>> {
  if (entry.kind !== "file")
    return { ok: false, why: `it is a ${entry.kind === "dir" ? "folder" : "link"}, and no file` };
  if (entry.size > most) return { ok: false, why: `it is larger than ${fileSize(most)}` };
  const response = await api.files.read(key, at === undefined ? {} : { at });
  return response === undefined ? { ok: false, why: "it is gone" } : read(response);
}

/** Of one that is broken, the newest version that wasn't; `undefined` where there is none, or it had been taken away. */
export async function lastGood<Value>(api: DeskApi, file: SystemFile<Value>): Promise<Value | undefined> {
  const versions = await api.files.history(file.key);
  for (const { entry, seq } of versions.slice(1, MOST_VERSIONS)) {
    if (entry === null) return undefined;
    const read = await readVersion(api, file, entry, seq);
    if (read.ok) return read.value;
  }
  return undefined;
}

/** What is worn: what it says, where it is broken the last good one, and `undefined` where the built-in one is. */
export interface Worn<Value> {
  readonly value: Value | undefined;
  readonly isBroken: boolean;
}

export async function wornOf<Value>(api: DeskApi, file: SystemFile<Value>): Promise<Worn<Value>> {
  // It is looked for first: a file that is missing is an error to browsers.
  const entry = (await api.files.list(SYSTEM_FOLDER)).find(({ key }) => key === file.key)?.entry;
  if (entry === undefined) return { value: undefined, isBroken: false };
  const read = await readVersion(api, file, entry);
  return read.ok ? { value: read.value, isBroken: false } : { value: await lastGood(api, file), isBroken: true };
}
