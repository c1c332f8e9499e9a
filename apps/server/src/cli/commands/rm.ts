import { shownPath } from "@choiros/computer";
import { remove } from "@choiros/gateway/operations";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { PATH_HELP, pathArgument } from "../path-argument.ts";
import { count } from "../plain.ts";

export const rm: Command = {
  name: "rm",
  summary: "remove a file, or a folder with everything in it; 'choir undo' brings it back",
  positionals: [{ name: "PATH" }],
  usage: "",
  about: PATH_HELP,
  options: {},
  optionHelp: [],
  examples: [
    ["choir rm notes.md", "remove a file"],
    ["choir rm drafts", "remove a folder, and all that is in it, as one action"],
    ["choir rm -- -odd-name", "remove what begins with a dash"],
  ],
  run(call) {
    const key = pathArgument(call.words[0] ?? "");
    const did = ({ changed }: { changed: number }) => `Removed ${shownPath(key)} (${count(changed, "path")})`;
    const missing = "'choir files' lists what is there.";
    return act(call, { operation: remove, request: { key }, missing, did });
  },
};
