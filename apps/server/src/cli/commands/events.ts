import { canonicalTypeName, type Envelope, PAYLOADS } from "@choiros/contract";
import { events as operation } from "@choiros/gateway/operations";
import { UsageError } from "../../command-error.ts";
import { ask } from "../ask.ts";
import type { Command, CommandCall } from "../command.ts";
import { eventLine } from "../event-line.ts";
import { numberOption } from "../number-option.ts";

export const events: Command = {
  name: "events",
  summary: "what happened, in order",
  usage: "[--from N] [--to N] [--type T]... [--follow]",
  about: [
    "What other programs did to the folder meanwhile becomes an event first. With --follow, what they do from then on is",
    "seen while a server runs ('choir start').",
  ],
  options: {
    follow: { type: "boolean", short: "f" },
    from: { type: "string" },
    to: { type: "string" },
    type: { type: "string", multiple: true },
  },
  optionHelp: [
    ["--from N", "the first event; -10 is the last ten (default: 1)"],
    ["--to N", "the last event"],
    ["--type T", "only this type, or a family as in 'file.*'; may be repeated"],
    ["--follow, -f", "go on with each new event, until Ctrl-C"],
  ],
  examples: [
    ["choir events", "everything that ever happened"],
    ["choir events --from -10 --follow", "the last ten, and what comes"],
    [
      "choir events --type 'file.*' --json | jq .payload",
      "files that were written, deleted or moved by a command, for a script: one JSON object a line",
    ],
  ],
  async run(call) {
    const { json, options, terminal } = call;
    const query = queryOf(options);
    const show = ({ event, command }: { event: Envelope; command?: string }) =>
      terminal.out(json ? JSON.stringify(event) : eventLine(event, command));
    try {
      await ask(call, operation, query, { item: show });
    } catch (error) {
      if (!query.follow || !terminal.signal.aborted) throw error; // following has no other end
    }
    return 0;
  },
};

function queryOf(options: CommandCall["options"]) {
  const from = numberOption("from", options.from) ?? 1;
  const to = numberOption("to", options.to);
  if (to !== undefined && to < 1) throw new UsageError("--to takes the number of an event, from 1");
  const type = typesOf(options.type);
  return {
    follow: options.follow === true,
    from,
    ...(to !== undefined && { to }),
    ...(type !== undefined && { type }),
  };
}

function typesOf(option: CommandCall["options"][string]): string[] | undefined {
  if (!Array.isArray(option)) return undefined;
  return option.flatMap((word) => typesNamed(String(word)));
}

/** `file.*` is every type of that family; old spellings are understood. */
function typesNamed(word: string): string[] {
  const all = Object.keys(PAYLOADS);
  const family = word.endsWith(".*") ? canonicalTypeName(word.slice(0, -2)) : undefined;
  if (family !== undefined) return all.filter((type) => type.startsWith(`${family}.`));
  const type = canonicalTypeName(word); // also one that this version doesn't know: a newer one may have written it
  if (type === undefined) throw new UsageError(`'${word}' can't be a type; the types are ${all.join(", ")}`);
  return [type];
}
