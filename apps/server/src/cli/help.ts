import type { Command } from "./command.ts";

const GLOBAL_OPTIONS = [
  ["--home DIR", "where everything lies (default: CHOIR_HOME, else ~/choiros)"],
  ["--user ID", "whose computer (default: CHOIR_USER, else the owner's)"],
  ["--json", "results as JSON, for scripts"],
  ["--help", "this text, or that of a command"],
] as const;

export function overview(commands: readonly Command[], version: string): string {
  return [
    `choir ${version}: the Automatic Computer, from the command line`,
    "",
    "Usage: choir COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    "Options of every command:",
    ...columns([...GLOBAL_OPTIONS, ["--version", "the version, and nothing else"]]),
    "",
    "Try:",
    ...columns([
      ["choir start", "run it, and open the address it prints"],
      ["choir events --follow", "watch what happens, as it happens"],
      ["choir COMMAND --help", "what a command does, with examples"],
    ]),
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 conflict.",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  return [
    `choir ${command.name}: ${command.summary}`,
    "",
    `Usage: ${["choir", command.name, command.usage].filter(Boolean).join(" ")}`,
    "",
    "Options:",
    ...columns([...command.optionHelp, ...GLOBAL_OPTIONS]),
    "",
    "Examples:",
    ...command.examples.flatMap(([line, purpose]) => [`  # ${purpose}`, `  ${line}`]),
  ].join("\n");
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
