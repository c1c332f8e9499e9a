import type { Command } from "../command.ts";
import { PATH_HELP } from "../path-argument.ts";
import { TAKING_BACK, takeBack } from "../take-back.ts";
import { targetArgument } from "../target-argument.ts";

export const undo: Command = {
  ...TAKING_BACK,
  name: "undo",
  summary: "take back what one event, call, task or ask did",
  positionals: [{ name: "TARGET" }],
  about: [
    "TARGET is the number of an event, or call:ID, task:ID, ask:ID: all that one led to.",
    "What came later is never destroyed: where an undo would, it lists the conflicts, touches nothing and ends with 3.",
    "An undo is an event, too: undo it, and what was taken back is there again.",
    ...PATH_HELP,
  ],
  examples: [
    ["choir undo 12 --preview", "see what taking event 12 back would do"],
    ["choir undo 12", "take it back"],
    ["choir undo call:01k2m0v7c4x8 --keep-mine", "take back a call, but nothing that was changed since"],
    ["choir undo task:t1 --take-theirs=notes.md --keep-mine", "bring notes.md back all the same, and keep all else"],
  ],
  run(call) {
    const word = call.words[0] ?? "";
    return takeBack(call, targetArgument(word), (paths) => `Took back ${word} (${paths})`);
  },
};
