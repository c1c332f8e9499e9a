import { AREAS } from "@choiros/computer";
import { z } from "zod";
import { pathNeed } from "../lease/need.ts";
import { ROOT, shownWord, writtenPath } from "../lease/written-path.ts";
import { PATH_WORDS, UNKEPT } from "./paths.ts";
import { failed, tool } from "./tool.ts";

const MOST = 500;

export const listFiles = tool({
  name: "list_files",
  description: `Lists what is in a folder: folders end with a slash, files have their size in bytes. With deep, everything below it. At most ${MOST}; what is ignored (node_modules, build output) isn't listed. ${PATH_WORDS}`,
  input: z.strictObject({
    path: z.string().optional().describe("The workspace unless told."),
    deep: z.boolean().optional(),
  }),
  needs({ path = "." }) {
    const written = writtenPath(path);
    return "why" in written ? written : [pathNeed("read", written.key)];
  },
  async run({ path = ".", deep = false }, { work, signal, may }) {
    const written = writtenPath(path);
    if ("why" in written) return failed(written.why);
    const under = written.key;
    const name = shownWord(under);
    if (under === ROOT && !deep) return { status: "ok", text: AREAS.map((area) => `/${area}/`).join("\n") };
    const lines: string[] = [];
    let more = false;
    const query = under === ROOT ? {} : { under, direct: !deep };
    const top = under.includes("/") ? await work.computer.read(under) : undefined;
    if (top !== undefined && top.entry.kind !== "dir") return failed(`${name} is no folder: read_file shows it`);
    if (under.includes("/") && top === undefined) return failed(`there is nothing at ${name}; ${UNKEPT}`);
    for await (const page of work.computer.files(query)) {
      signal.throwIfAborted();
      for (const { key, entry, secret } of page) {
        if (!may({ kind: "read", what: key })) continue;
        if (lines.length === MOST) more = true;
        else
          lines.push(
            `${shownWord(key)}${lineEnd(entry)}${secret && entry.kind === "file" ? "  (looks like a secret)" : ""}`,
          );
      }
      if (more) break;
    }
    if (lines.length === 0) return { status: "ok", text: `${name} is empty` };
    return { status: "ok", text: [...lines, ...(more ? [`… there is more: list a folder in it`] : [])].join("\n") };
  },
});

function lineEnd(entry: { readonly kind: string; readonly size?: number }): string {
  if (entry.kind === "dir") return "/";
  return entry.kind === "link" ? "  (link)" : `  ${entry.size}`;
}
