import { shownPath } from "@choiros/computer";
import { history as operation, type Version } from "@choiros/gateway/operations";
import { CommandError } from "../../command-error.ts";
import { ask } from "../ask.ts";
import type { Command } from "../command.ts";
import { entryText } from "../entry-text.ts";
import { PATH_HELP, pathArgument } from "../path-argument.ts";

export const history: Command = {
  name: "history",
  summary: "every version of a file or folder, the newest first",
  positionals: [{ name: "PATH" }],
  usage: "",
  about: PATH_HELP,
  options: {},
  optionHelp: [],
  examples: [
    ["choir history notes.md", "who changed it, and when"],
    ["choir restore notes.md --at 12", "bring one of them back"],
    ["choir history notes.md --json | jq .seq", "for a script: one JSON object a line"],
  ],
  async run(call) {
    const { json, terminal, words } = call;
    const key = pathArgument(words[0] ?? "");
    let versions = 0;
    await ask(
      call,
      operation,
      { key },
      {
        async item(version) {
          versions++;
          await terminal.out(json ? JSON.stringify({ path: shownPath(key), ...version }) : text(version));
        },
      },
    );
    if (versions === 0) throw new CommandError(`there never was anything at ${shownPath(key)}`);
    return 0;
  },
};

function text({ cause, entry, seq, source, ts, type }: Version): string {
  const time = ts.replace("T", " ").replace(/\.\d+Z$/, "Z");
  const call = cause?.call === undefined ? "" : `  call:${cause.call}`;
  const columns = [String(seq).padStart(6), time, source.padEnd(6), type.padEnd(14)];
  return `${columns.join("  ")}  ${entry === null ? "gone" : entryText(entry)}${call}`;
}
