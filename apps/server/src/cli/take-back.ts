import { shownPath } from "@choiros/computer";
import type { Target } from "@choiros/contract";
import { type Choice, type Choices, preview, undo } from "@choiros/gateway/operations";
import { UsageError } from "../command-error.ts";
import { act, Gathered, tellRefusal } from "./act.ts";
import { ask } from "./ask.ts";
import { showChange } from "./change-lines.ts";
import type { Command, CommandCall, ExitCode } from "./command.ts";
import { conflictJson, conflictLines, HOW_TO_SETTLE } from "./conflict-text.ts";
import { changeJson } from "./entry-text.ts";
import { pathArgument } from "./path-argument.ts";
import { count } from "./plain.ts";

/** What `undo` and `rewind` have in common. */
export const TAKING_BACK = {
  usage: "[--preview] [--keep-mine[=PATH]]... [--take-theirs[=PATH]]...",
  options: {
    preview: { type: "boolean" },
    "keep-mine": { type: "string", multiple: true },
    "take-theirs": { type: "string", multiple: true },
  },
  bareOptions: ["keep-mine", "take-theirs"],
  optionHelp: [
    ["--preview", "show what it would do, and do nothing"],
    ["--keep-mine[=PATH]", "where somebody changed it since: keep what stands now, everywhere or at this path"],
    ["--take-theirs[=PATH]", "where somebody changed it since: bring back what was, everywhere or at this path"],
  ],
} as const satisfies Partial<Command>;

export async function takeBack(call: CommandCall, target: Target, did: (paths: string) => string): Promise<ExitCode> {
  const choices = choicesOf(call.options);
  if (call.options.preview === true) return show(call, target, choices);
  return act(call, {
    operation: undo,
    request: { choices, target },
    missing: MISSING,
    did: ({ changed }) => did(count(changed, "path")),
  });
}

const MISSING = "'choir events' shows what is in the log.";

async function show(call: CommandCall, target: Target, choices: Choices): Promise<ExitCode> {
  const { json, terminal } = call;
  const said = new Gathered();
  const found = await ask(call, preview, { choices, lines: !json, target }, { item: (value) => said.take(value) });
  if (!found.ok) return tellRefusal(call, found, said, MISSING);
  const exit = said.conflicts.length > 0 ? 3 : 0;
  const { lasting, notes } = found;
  const stays = found.stays.map(shownPath);
  if (json) {
    const changes = said.shown.map(changeJson);
    await terminal.out(JSON.stringify({ changes, conflicts: said.conflicts.map(conflictJson), stays, lasting, notes }));
    return exit;
  }
  for (const shown of said.shown) await showChange(terminal, shown);
  for (const conflict of said.conflicts) for (const line of conflictLines(conflict)) await terminal.out(line);
  for (const path of stays) terminal.aside(`${path} stays: by now it holds something else.`);
  for (const what of lasting) terminal.aside(`This can't be taken back: ${what}`);
  for (const line of notes) terminal.aside(line);
  const paths = said.shown.length + said.shown.filter(({ from }) => from !== undefined).length;
  terminal.aside(`${count(paths, "path")} would change, ${count(said.conflicts.length, "conflict")}.`);
  if (exit === 3) terminal.aside(HOW_TO_SETTLE);
  return exit;
}

function choicesOf(options: CommandCall["options"]): Choices {
  const given = [...namedBy(options["keep-mine"], "mine"), ...namedBy(options["take-theirs"], "theirs")];
  const all = new Set(given.filter(([key]) => key === undefined).map(([, choice]) => choice));
  if (all.size > 1) throw new UsageError("--keep-mine and --take-theirs can't both be for everything: name the paths");
  const each = new Map<string, Choice>();
  for (const [key, choice] of given) {
    if (key === undefined) continue;
    if ((each.get(key) ?? choice) !== choice) {
      throw new UsageError(`${shownPath(key)} can't be both kept and taken back: choose one`);
    }
    each.set(key, choice);
  }
  const [forAll] = all;
  return { ...(forAll !== undefined && { all: forAll }), each: [...each] };
}

function namedBy(option: CommandCall["options"][string], choice: Choice): [key: string | undefined, Choice][] {
  const values = Array.isArray(option) ? option.map(String) : [];
  return values.map((value) => [value === "" ? undefined : keyOf(value), choice]);
}

/** A window or a setting is told from a path by `name:`. */
function keyOf(word: string): string {
  return word.startsWith("name:") ? word.slice("name:".length) : pathArgument(word);
}
