import { shownPath } from "@choiros/computer";
import { restore as operation } from "@choiros/gateway/operations";
import { UsageError } from "../../command-error.ts";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { seqArgument } from "../number-option.ts";
import { PATH_HELP, pathArgument } from "../path-argument.ts";

export const restore: Command = {
  name: "restore",
  summary: "bring just one file or folder back to what it was after an event",
  positionals: [{ name: "PATH" }],
  usage: "--at SEQ",
  about: PATH_HELP,
  options: { at: { type: "string" } },
  optionHelp: [["--at SEQ", "the event after which it was as it shall be again; 'choir history PATH' lists them"]],
  examples: [
    ["choir history notes.md", "find out when it was right"],
    ["choir restore notes.md --at 12", "bring that version back; all else stays"],
  ],
  run(call) {
    const key = pathArgument(call.words[0] ?? "");
    if (call.options.at === undefined)
      throw new UsageError("say which version with --at SEQ: see 'choir history PATH'");
    const at = seqArgument("--at", call.options.at);
    const did = () => `Restored ${shownPath(key)} to what it was after event ${at}`;
    return act(call, { operation, request: { at, key }, did });
  },
};
