import { shownPath } from "@choiros/computer";
import { parentKey } from "@choiros/contract";
import { arrange, type FileLine, files } from "@choiros/gateway/operations";
import { UsageError } from "../../command-error.ts";
import { act } from "../act.ts";
import { ask } from "../ask.ts";
import type { Command, CommandCall } from "../command.ts";
import { PATH_HELP, pathArgument } from "../path-argument.ts";
import { count } from "../plain.ts";

export const mv: Command = {
  name: "mv",
  summary: "give files and folders another name or place; 'choir undo' brings them back",
  positionals: [{ name: "PATH" }, { name: "TO", many: true }],
  usage: "",
  about: [
    "Where TO is a folder, or ends with a slash, they go into it; several can only go into a folder. They are one action:",
    "all of them are moved, or none. Nothing is written over: a name that is taken is refused.",
    ...PATH_HELP,
  ],
  options: {},
  optionHelp: [],
  examples: [
    ["choir mv notes.md ideas.md", "another name"],
    ["choir mv a.md b.md letters/", "two files into a folder, which is made where it isn't there"],
  ],
  async run(call) {
    const last = call.words.at(-1) ?? "";
    const to = pathArgument(last, { area: true });
    const from = call.words.slice(0, -1).map((word) => pathArgument(word));
    const into = last.endsWith("/") || (await isFolder(call, to));
    if (!into && from.length > 1) throw new UsageError(`${last} is no folder: several can only go into one`);
    const deeds = from.map((key) => ({ move: { from: key, to: into ? `${to}/${nameOf(key)}` : to } }));
    const what = from.length === 1 ? shownPath(from[0] ?? "") : count(from.length, "path");
    return act(call, {
      operation: arrange,
      request: { deeds },
      did: () => `Moved ${what} to ${shownPath(from.length === 1 ? (deeds[0]?.move.to ?? to) : to)}`,
    });
  },
};

/** The name alone; one that isn't UTF-8 has slashes in it, too. */
function nameOf(key: string): string {
  const parent = parentKey(key);
  return parent === undefined ? key : key.slice(parent.length + 1);
}

async function isFolder(call: CommandCall, key: string): Promise<boolean> {
  const lines: FileLine[] = [];
  const { found } = await ask(call, files, { deep: false, key }, { item: (line) => void lines.push(line) });
  return found && lines[0]?.key !== key;
}
