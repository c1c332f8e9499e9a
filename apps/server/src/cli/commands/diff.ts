import { diff as operation } from "@choiros/gateway/operations";
import { ask } from "../ask.ts";
import { showChange } from "../change-lines.ts";
import type { Command } from "../command.ts";
import { changeJson } from "../entry-text.ts";
import { seqArgument } from "../number-option.ts";

export const diff: Command = {
  name: "diff",
  summary: "what changed between two events, or from one until now",
  positionals: [{ name: "SEQ" }, { name: "SEQ", optional: true }],
  usage: "",
  about: [
    "What came and went in between isn't shown. Files and links as git shows them, with their modes: in the computer's",
    "folder, 'git apply' takes it. What went at one path and came at another with the same content is shown as a rename;",
    "with --json it has 'from'. Directories, and what is larger than 64 kB, in one line.",
    "0 is the beginning. What one event did: choir diff 11 12.",
  ],
  options: {},
  optionHelp: [],
  examples: [
    ["choir diff 12", "everything that changed since event 12"],
    ["choir diff 11 12", "what event 12 changed"],
    ["choir diff 12 11 > back.patch", "for git: what would take event 12 back"],
    ["choir diff 0 --json | jq -r .path", "for a script: one JSON object a change"],
  ],
  async run(call) {
    const { json, terminal, words } = call;
    const from = seqArgument("SEQ", words[0]);
    const to = words[1] === undefined ? {} : { to: seqArgument("SEQ", words[1]) };
    let changes = 0;
    const answer = await ask(
      call,
      operation,
      { from, ...to, lines: !json },
      {
        async item(shown) {
          changes++;
          if (json) await terminal.out(JSON.stringify(changeJson(shown)));
          else await showChange(terminal, shown);
        },
      },
    );
    if (changes === 0) terminal.aside(`Nothing changed between event ${answer.from} and event ${answer.to}.`);
    return 0;
  },
};
