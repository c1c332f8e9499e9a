import type { Command } from "../command.ts";
import { seqArgument } from "../number-option.ts";
import { PATH_HELP } from "../path-argument.ts";
import { TAKING_BACK, takeBack } from "../take-back.ts";

export const rewind: Command = {
  ...TAKING_BACK,
  name: "rewind",
  summary: "bring the whole computer back to what it was after an event",
  positionals: [{ name: "SEQ" }],
  about: [
    "Nothing is lost by it: a rewind is one event more, and 'choir undo' takes it back.",
    "Messages and tasks stay as history.",
    ...PATH_HELP,
  ],
  examples: [
    ["choir rewind 40 --preview", "see what would change"],
    ["choir rewind 40", "make the files what they were after event 40"],
  ],
  run(call) {
    const since = seqArgument("SEQ", call.words[0]);
    return takeBack(call, { since }, (paths) => `Went back to event ${since} (${paths})`);
  },
};
