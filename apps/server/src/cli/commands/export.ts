import { exporting } from "../../access/acting.ts";
import { ask } from "../ask.ts";
import type { Command } from "../command.ts";
import { fileArgument } from "../file-argument.ts";
import { count, size } from "../plain.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "the whole computer in one SQLite file, with all of its history",
  positionals: [{ name: "FILE" }],
  usage: "",
  about: ["FILE is made; one that is there already is never written over. It works while the server runs."],
  options: {},
  optionHelp: [],
  examples: [
    ["choir export ada.choir", "a backup, or to take it to another machine"],
    ["sqlite3 ada.choir .tables", "look inside with the usual tools"],
  ],
  async run(call) {
    const file = fileArgument("FILE", call.words[0]);
    const done = await ask(call, exporting, { file });
    const what = `${count(done.events, "event")} and ${count(done.contents, "content")}, ${size(done.bytes)}`;
    const text = `Exported ${what}, up to ${done.seq}:${done.hash}, to ${done.file}`;
    await call.terminal.out(call.json ? JSON.stringify(done) : text);
    return 0;
  },
};
