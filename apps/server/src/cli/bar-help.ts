import { type Command, PHRASES, type Phrase, shape } from "@choiros/contract";
import { CommandError } from "../command-error.ts";
import type { CommandCall, ExitCode } from "./command.ts";

/** What of the bar needs no desktop. */
const HERE: ReadonlySet<Command["do"]> = new Set<Command["do"]>([
  "export",
  "files",
  "find",
  "go-back",
  "help",
  "new-doc",
  "new-folder",
  "redo",
  "run",
  "theme",
  "undo",
  "wallpaper",
]);

/** What can be said to 'choir ask', of what can be said in the bar; with a word, the commands that it stands in, and how they are used. */
export async function barHelp({ json, terminal }: CommandCall, word: string | undefined): Promise<ExitCode> {
  const meant = PHRASES.filter((phrase) => word === undefined || has(phrase, word.toLowerCase()));
  if (meant.length === 0)
    throw new CommandError(`there is no command '${word}' in the bar: 'choir ask help' lists them`);
  const phrases = meant.filter((phrase) => HERE.has(phrase.do));
  if (phrases.length === 0) throw new CommandError(`'${word}' is for the desktop: 'choir start' prints where that is`);
  const width = Math.max(...phrases.map((phrase) => shape(phrase).length));
  for (const phrase of phrases) {
    const { also = [], examples, help } = phrase;
    const text = `${shape(phrase).padEnd(width)}  ${help}`;
    await terminal.out(json ? JSON.stringify({ also, examples, help, shape: shape(phrase) }) : text);
    if (!json && word !== undefined) for (const example of examples) await terminal.out(`  choir ask "${example}"`);
  }
  return 0;
}

function has({ also = [], words }: Phrase, word: string): boolean {
  return [words, ...also].some((one) => one.split(" ").includes(word));
}
