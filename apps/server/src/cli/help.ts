import type { Command, Positional } from "./command.ts";

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
      ["choir write notes.md < notes.md", "put a file into the workspace"],
      ["choir exec -- ls -l", "run a command in a sandbox; what it does to your files can be undone"],
      ["choir events --follow", "watch what happens, as it happens"],
      ["choir undo 12 --preview", "see what taking event 12 back would do"],
      ["choir COMMAND --help", "what a command does, with examples"],
    ]),
    "",
    "Results go to standard output, all else to standard error: also what went wrong, in a sentence, under --json, too.",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 conflict, 130 stopped by Ctrl-C; 'exec' ends as its command did.",
  ].join("\n");
}

/** Of commands that begin with the same word. */
export function familyHelp(word: string, commands: readonly Command[]): string {
  return [
    `Usage: choir ${word} COMMAND [OPTIONS]`,
    "",
    "Commands:",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    ...columns([[`choir ${commands[0]?.name} --help`, "what one of them does, with examples"]]),
  ].join("\n");
}

export function commandHelp(command: Command): string {
  return [
    `choir ${command.name}: ${command.summary}`,
    "",
    `Usage: ${["choir", command.name, command.verbatim === true && "[OPTIONS] --", ...(command.positionals ?? []).map(placeOf), command.usage].filter(Boolean).join(" ")}`,
    ...(command.about === undefined ? [] : ["", ...command.about]),
    "",
    "Options:",
    ...columns([...command.optionHelp, ...GLOBAL_OPTIONS]),
    "",
    "Examples:",
    ...command.examples.flatMap(([line, purpose]) => [`  # ${purpose}`, `  ${line}`]),
  ].join("\n");
}

function placeOf({ name, optional, many }: Positional): string {
  const place = many === true ? `${name}...` : name;
  return optional === true ? `[${place}]` : place;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
