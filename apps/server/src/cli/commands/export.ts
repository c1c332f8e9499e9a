import { shownPath } from "@choiros/computer";
import { exporting } from "@choiros/gateway/operations";
import { ask } from "../ask.ts";
import type { Command } from "../command.ts";
import { fileArgument } from "../file-argument.ts";
import { count, size } from "../plain.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "the whole computer in one SQLite file, with all of its history",
  positionals: [{ name: "FILE" }],
  usage: "",
  about: [
    "FILE is made; one that is there already is never written over. It works while the server runs.",
    "What is damaged or missing here can't be in it: that is said, with exit code 1; all the rest is.",
  ],
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
    const first = done.missing.first.map(({ key, ...one }) => ({ ...one, path: key === null ? null : shownPath(key) }));
    const missing = { count: done.missing.count, first };
    await call.terminal.out(call.json ? JSON.stringify({ ...done, missing }) : text);
    if (missing.count === 0) return 0;
    call.terminal.aside(`choir: ${count(missing.count, "content")} could not be exported:`);
    for (const { hash, path, seq, state } of first) {
      call.terminal.aside(`  ${hash} is ${state}; event ${seq} names it${path === null ? "" : ` for ${path}`}`);
    }
    if (missing.count > first.length) call.terminal.aside(`  and ${missing.count - first.length} more`);
    call.terminal.aside("All the rest is in the file. 'choir doctor' says what can be done.");
    return 1;
  },
};
