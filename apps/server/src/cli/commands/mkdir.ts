import { shownPath } from "@choiros/computer";
import { arrange } from "@choiros/gateway/operations";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { PATH_HELP, pathArgument } from "../path-argument.ts";

export const mkdir: Command = {
  name: "mkdir",
  summary: "make folders, with those above them",
  positionals: [{ name: "PATH", many: true }],
  usage: "",
  about: ["Several are one action: all of them are made, or none.", ...PATH_HELP],
  options: {},
  optionHelp: [],
  examples: [
    ["choir mkdir letters/2026", "make a folder, and the one above it where it isn't there"],
    ["choir mkdir drafts sent", "two, as one action"],
  ],
  run(call) {
    const keys = call.words.map((word) => pathArgument(word));
    const deeds = keys.map((key) => ({ folder: { key } }));
    return act(call, {
      operation: arrange,
      request: { deeds },
      did: () => `Made ${keys.map((key) => shownPath(key)).join(", ")}`,
    });
  },
};
