import { hash } from "node:crypto";
import { describeChanges } from "@choiros/computer";
import type { Entry } from "@choiros/contract";
import { z } from "zod";
import { shownWord } from "../lease/written-path.ts";
import { applyEdits } from "./apply-edits.ts";
import { editNeeds, keyOf, PATH_WORDS, readNeeds } from "./paths.ts";
import { putText } from "./put-text.ts";
import { SHOWN_BYTES, showFile } from "./read-file.ts";
import { type Context, failed, type Told, tool } from "./tool.ts";
import { type WholeText, wholeText } from "./whole-text.ts";

const Edit = z.strictObject({
  old: z.string().describe("A text that stands in the file, exactly, with its indentation; once, unless 'all' is set."),
  new: z.string().describe("What stands there afterwards."),
  all: z.boolean().optional().describe("Replace it everywhere."),
});

export const editFile = tool({
  name: "edit_file",
  description: `Replaces exact texts in a file that was read: all edits, one after the other, or none. With dry_run only the diff is shown. ${PATH_WORDS}`,
  input: z.strictObject({
    path: z.string(),
    edits: z.array(Edit).min(1).max(100),
    dry_run: z.boolean().optional(),
  }),
  mostBytes: SHOWN_BYTES,
  needs({ path, dry_run }) {
    const found = keyOf(path);
    if ("why" in found) return found;
    return [...readNeeds(found.key), ...(dry_run === true ? [] : editNeeds(found.key))];
  },
  async run({ path, edits, dry_run }, context) {
    const found = keyOf(path);
    if ("why" in found) return failed(found.why);
    const { key } = found;
    const before = await wholeText(context.work.computer, key);
    if ("why" in before) return failed(before.why);
    const stale = await unread(key, before.hash, context);
    if (stale !== undefined) return stale;
    const edited = await applyEdits(before.text, edits, context.signal);
    if (!edited.ok) return withWhatIsThere(`${shownWord(key)} was not edited: ${edited.why}.`, key, context);
    const diff = await diffOf(key, before, edited.text);
    if (dry_run === true) return { status: "ok", text: `nothing was written; this is what would change:\n${diff}` };
    const put = await putText(key, edited.text, { base: before.hash, by: "edit", context });
    if (put.status !== "ok") return put;
    return { ...put, text: `${put.text}\n${diff}` };
  },
});

/**
 * What a model edits must be what it has read. Where it isn't, it is shown what is there, and has read it with its next
 * answer: what it said beside this it said without knowing that.
 */
export async function unread(key: string, hash: string, context: Context): Promise<Told | undefined> {
  const read = context.work.read.hashOf(key);
  const name = shownWord(key);
  if (read === hash) return undefined;
  if (read === undefined && context.work.read.isComing(key))
    return failed(`what a call shows you of ${name} counts from your next answer on: nothing was written`);
  if (read === undefined) return failed(`${name} wasn't read yet: read_file it first, so that you know what is there`);
  return withWhatIsThere(`${name} has changed since you read it: nothing was written.`, key, context);
}

async function withWhatIsThere(why: string, key: string, context: Context): Promise<Told> {
  if (!readNeeds(key).every((need) => context.may(need))) return failed(why);
  const shown = await showFile(key, context);
  return failed(`${why} This is there now:\n${shown.text}`);
}

async function diffOf(key: string, before: WholeText, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const entry = (of: Uint8Array): Entry & { kind: "file" } => ({
    hash: hash("sha256", of),
    kind: "file",
    mode: before.mode,
    size: of.length,
  });
  const [old, young] = [entry(before.bytes), entry(bytes)];
  const read = async (one: { readonly hash: string }) => (one.hash === old.hash ? before.bytes : bytes);
  for await (const one of describeChanges([{ key, before: old, after: young }], read))
    if ("diff" in one && one.diff !== undefined) return one.diff;
  return `${before.bytes.length} bytes become ${bytes.length}: too much to show`;
}
