import { statSync } from "node:fs";
import { basename } from "node:path";
import { shownPath } from "@choiros/computer";
import { add as operation } from "@choiros/gateway/operations";
import { CommandError } from "../../command-error.ts";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { fileArgument } from "../file-argument.ts";
import { PATH_HELP, pathArgument } from "../path-argument.ts";
import { count } from "../plain.ts";

export const add: Command = {
  name: "add",
  summary: "bring a folder of this machine in, as one action that can be undone",
  positionals: [{ name: "DIR" }],
  usage: "[--to PATH]",
  about: [
    "DIR is copied; it stays as it is. Of what is left out, it says what and why: by default node_modules/, build output and",
    "caches are. To bring such names in, first write lines like !dist/ to .choirignore in the workspace.",
    ...PATH_HELP,
  ],
  options: { to: { type: "string" } },
  optionHelp: [["--to PATH", "where it comes to stand (default: its own name, in workspace/)"]],
  examples: [
    ["choir add ~/projects/site", "it comes to stand at workspace/site"],
    ["choir add ~/projects/site --to sites/old", "under another name"],
    [
      "echo '!dist/' | choir write .choirignore",
      "before: have dist/ folders brought in, too; this replaces a .choirignore that is there",
    ],
  ],
  run(call) {
    const folder = fileArgument("DIR", call.words[0]);
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) throw new CommandError(`there is no ${folder}: DIR is a folder of this machine`);
    if (!found.isDirectory()) throw new CommandError(`${folder} is not a folder: 'choir write' takes a file`);
    const to = pathArgument(typeof call.options.to === "string" ? call.options.to : `./${basename(folder)}`, {
      area: true,
    });
    const did = ({ changed }: { changed: number }) => `Added ${shownPath(to)} (${count(changed, "path")})`;
    return act(call, { operation, request: { folder, to }, did });
  },
};
