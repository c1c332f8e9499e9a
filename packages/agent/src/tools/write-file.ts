import { z } from "zod";
import { shownWord } from "../lease/written-path.ts";
import { unread } from "./edit-file.ts";
import { editNeeds, keyOf, PATH_WORDS } from "./paths.ts";
import { putText } from "./put-text.ts";
import { failed, tool } from "./tool.ts";

export const writeFile = tool({
  name: "write_file",
  description: `Writes a whole text file: a new one, with the folders above it, or one that was read. For small changes edit_file is better. ${PATH_WORDS}`,
  input: z.strictObject({ path: z.string(), content: z.string() }),
  needs({ path }) {
    const found = keyOf(path);
    return "why" in found ? found : editNeeds(found.key);
  },
  async run({ path, content }, context) {
    const found = keyOf(path);
    if ("why" in found) return failed(found.why);
    const { key } = found;
    const now = await context.work.computer.read(key);
    if (now === undefined) return putText(key, content, { base: null, context });
    if (now.entry.kind === "dir") return failed(`${shownWord(key)} is a folder: write to a file in it`);
    // A link can't be read as a text, and is replaced by nothing but a command.
    if (now.entry.kind === "link") return failed(`${shownWord(key)} is a link: write to what it leads to`);
    const stale = await unread(key, now.entry.hash, context);
    return stale ?? putText(key, content, { base: now.entry.hash, context });
  },
});
