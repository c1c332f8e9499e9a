import { rebuild as operation } from "@choiros/gateway/operations";
import { ask } from "../ask.ts";
import type { Command } from "../command.ts";
import { count } from "../plain.ts";

export const rebuild: Command = {
  name: "rebuild",
  summary: "throw away what is made from the log, and make it again",
  usage: "",
  about: ["The log and the contents stay as they are. The same log always gives the same state, and the same hash."],
  options: {},
  optionHelp: [],
  examples: [
    ["choir rebuild", "after 'choir doctor' found that the state isn't what the log says"],
    ["choir rebuild --json | jq -r .hash", "the hash of the state, to compare two computers"],
  ],
  async run(call) {
    const done = await ask(call, operation, {});
    const text = `Made again from ${count(done.events, "event")}: state ${done.hash}`;
    await call.terminal.out(call.json ? JSON.stringify(done) : text);
    return 0;
  },
};
