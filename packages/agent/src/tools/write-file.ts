import { z } from "zod";
import { shownWord } from "../lease/written-path.ts";
import { unread } from "./edit-file.ts";
import { editNeeds, keyOf, PATH_WORDS } from "./paths.ts";
import { putText } from "./put-text.ts";
import { SHOWN_BYTES } from "./read-file.ts";
import { failed, tool } from "./tool.ts";

export const writeFile = tool({
  name: "write_file",
  description: `Writes a whole text file: a new one, with the folders above it, or one of which every line was read whole. For small changes edit_file is better. ${PATH_WORDS}`,
  input: z.strictObject({ path: z.string(), content: z.string() }),
  mostBytes: SHOWN_BYTES,
  needs({ path }) {
    const found = keyOf(path);
    return "why" in found ? found : editNeeds(found.key);
  },
  async run({ path, content }, context) {
    const found = keyOf(path);
    if ("why" in found) return failed(found.why);
    const { key } = found;
    const now = await context.work.computer.read(key);
    if (now === undefined) return putText(key, content, { base: null, by: "write", context });
    if (now.entry.kind === "dir") return failed(`${shownWord(key)} is a folder: write to a file in it`);
    // A link can't be read as a text, and is replaced by nothing but a command.
    if (now.entry.kind === "link") return failed(`${shownWord(key)} is a link: write to what it leads to`);
    const stale = await unread(key, now.entry.hash, context);
    if (stale !== undefined) return stale;
    const unseen = context.work.read.unseen(key);
    if (unseen !== undefined) return failed(partly(shownWord(key), unseen));
    return putText(key, content, { base: now.entry.hash, by: "write", context });
  },
});

/** What it hasn't seen it would throw away unseen. */
function partly(name: string, unseen: number | "cut"): string {
  if (unseen === "cut")
    return `${name} was not written: a line of it is too long to be shown whole: change parts of it with edit_file.`;
  const rest = `read_file the rest first, from line ${unseen} on`;
  return `${name} was not written: you haven't seen all of what is there. ${rest}; or change parts of it with edit_file.`;
}
