import type { Computer } from "@choiros/computer";
import type { Sha256 } from "@choiros/contract";
import { shownWord } from "../lease/written-path.ts";
import { UNKEPT } from "./paths.ts";
import type { Fault } from "./tool.ts";

export interface WholeText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly hash: Sha256;
  readonly mode: number;
}

/** Larger texts aren't edited by exact matches. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A file's text, to be edited; or why it can't be. */
export async function wholeText(computer: Computer, key: string): Promise<WholeText | Fault> {
  const name = shownWord(key);
  const found = await computer.read(key);
  if (found === undefined) return { why: `there is nothing at ${name}: write_file makes a new file; ${UNKEPT}` };
  const { entry } = found;
  if (entry.kind !== "file") return { why: `${name} is a ${entry.kind === "dir" ? "folder" : "link"}, not a file` };
  if (entry.size > MOST_BYTES) return { why: `${name} is too large to be edited like this (${entry.size} bytes)` };
  const bytes = Buffer.concat(await Array.fromAsync(found.bytes()));
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!bytes.includes(0)) return { text, bytes, hash: entry.hash, mode: entry.mode };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return { why: `${name} is binary: it can't be edited as text` };
}
