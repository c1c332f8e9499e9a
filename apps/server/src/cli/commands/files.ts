import { shownPath } from "@choiros/computer";
import { type FileLine, files as operation } from "@choiros/gateway/operations";
import { CommandError } from "../../command-error.ts";
import { ask } from "../ask.ts";
import type { Command } from "../command.ts";
import { modeText } from "../entry-text.ts";
import { momentOption } from "../number-option.ts";
import { PATH_HELP, pathArgument } from "../path-argument.ts";
import { size } from "../plain.ts";

export const files: Command = {
  name: "files",
  summary: "the files and folders of a computer, now or after any event",
  positionals: [{ name: "PATH", optional: true }],
  usage: "[--at SEQ]",
  about: [
    "Each line: mode, size, the event that made it so, path. A folder ends with a slash, a link with @.",
    "Without PATH: the workspace. '/' is everything.",
    ...PATH_HELP,
  ],
  options: { at: { type: "string" } },
  optionHelp: [["--at SEQ", "as they were after this event (default: now)"]],
  examples: [
    ["choir files", "everything in the workspace"],
    ["choir files drafts --at 12", "what was in a folder after event 12"],
    ["choir files / --json | jq -r .path", "every path of the computer, for a script: one JSON object a line"],
  ],
  async run(call) {
    const { json, options, terminal, words } = call;
    const word = words[0] ?? ".";
    const key = word === "/" ? undefined : pathArgument(word, { area: true });
    const at = momentOption(options.at);
    const show = (line: FileLine) => terminal.out(json ? lineJson(line) : lineText(line));
    const { count, found } = await ask(call, operation, { ...at, ...(key !== undefined && { key }) }, { item: show });
    if (!found)
      throw new CommandError(`there is nothing at ${word}${momentText(at)}: 'choir files' lists what there is`);
    if (count === 0) terminal.aside(`${emptyText(key)}${momentText(at)}.${at.at === undefined ? HOW_TO_FILL : ""}`);
    return 0;
  },
};

const HOW_TO_FILL = " 'choir write PATH < FILE' puts a file there, 'choir add DIR' a whole folder.";

function emptyText(key: string | undefined): string {
  if (key === undefined) return "The computer holds no files";
  return key === "workspace" ? "The workspace is empty" : `${shownPath(key)} is empty`;
}

function momentText({ at }: { readonly at?: number }): string {
  return at === undefined ? "" : ` after event ${at}`;
}

function lineJson({ key, ...line }: FileLine): string {
  return JSON.stringify({ path: shownPath(key), ...line });
}

function lineText({ entry, key, seq }: FileLine): string {
  const bytes = entry.kind === "dir" ? "" : size(entry.size);
  const mark = { dir: "/", file: "", link: "@" }[entry.kind];
  return `${modeText(entry.mode)}  ${bytes.padStart(7)}  ${String(seq).padStart(6)}  ${shownPath(key)}${mark}`;
}
