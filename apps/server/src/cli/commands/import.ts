import { importing } from "@choiros/gateway/operations";
import { ask } from "../ask.ts";
import type { Command } from "../command.ts";
import { fileArgument } from "../file-argument.ts";

export const importCommand: Command = {
  name: "import",
  summary: "make a computer of an export: the same files, the same history, and undo still works",
  positionals: [{ name: "FILE" }],
  usage: "[--user ID]",
  about: ["Nothing that is there is touched: where there is a computer already, --user ID names another one."],
  options: {},
  optionHelp: [],
  examples: [
    ["choir import ada.choir", "into a new home"],
    ["choir import ada.choir --user ada-2", "beside what is there, under an id of its own"],
  ],
  async run(call) {
    const user = call.user();
    const done = await ask(call, importing, { file: fileArgument("FILE", call.words[0]) });
    for (const note of done.notes) call.terminal.aside(note);
    const text = `Imported as ${user}, up to ${done.seq}:${done.hash}; state ${done.stateHash}`;
    await call.terminal.out(call.json ? JSON.stringify({ user, ...done }) : text);
    return 0;
  },
};
