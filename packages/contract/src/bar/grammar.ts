import { Id } from "../ids.ts";
import type { Target } from "../payloads.ts";
import type { Bare, Command } from "./command.ts";
import { isAboutTime, parseWhen } from "./when.ts";

/** One command of the bar: the words it begins with, what goes on from there, and how it is explained. */
export interface Phrase {
  readonly do: Command["do"];
  readonly words: string;
  /** Other words for the same. */
  readonly also?: readonly string[];
  readonly argument?: Argument;
  readonly help: string;
  readonly examples: readonly string[];
  /** What follows the words, as it was typed; `undefined` where that is no such command but somebody's ask. */
  read(rest: string, now: Date): Command | undefined;
  /** Whether what can't be read is the command all the same, with something that can't be: then it is told what it needs. */
  isMeant?(rest: string): boolean;
}

interface Argument {
  /** As the help shows it: `NAME`. */
  readonly name: string;
  /** What it is, for whoever left it out; where it may be left out, there is none. */
  readonly needs?: string;
  /** All that it can be. */
  readonly choices?: readonly string[];
}

/** "Run the tests" is somebody's wish, not a line for a shell. */
const NO_PROGRAM = /^(?:a|all|an|it|me|my|our|some|that|the|them|these|this|those)(?=\s|$)/i;

/** In the order to show them in. */
export const PHRASES: readonly Phrase[] = [
  {
    do: "new-doc",
    words: "new doc",
    also: ["new document", "new file"],
    argument: { name: "NAME" },
    help: "begin a document, and open it",
    examples: ["new doc", "new doc shopping.md"],
    read: (rest) => (rest === "" ? { do: "new-doc" } : { do: "new-doc", name: nameIn(rest) }),
  },
  {
    do: "new-folder",
    words: "new folder",
    argument: { name: "NAME", needs: "a name" },
    help: "make a folder",
    examples: ["new folder letters"],
    read: (rest) => ({ do: "new-folder", name: nameIn(rest) }),
  },
  {
    do: "open",
    words: "open",
    argument: { name: "X", needs: "the name of a file, a folder or an app" },
    help: "open a file, a folder or an app",
    examples: ["open notes.md", "open timeline"],
    read: (rest) => ({ do: "open", what: nameIn(rest) }),
  },
  {
    do: "find",
    words: "find",
    argument: { name: "X", needs: "some words of a name" },
    help: "find files by their names",
    examples: ["find letter 2026"],
    read: (rest) => ({ do: "find", text: rest }),
  },
  {
    do: "files",
    words: "files",
    argument: { name: "FOLDER" },
    help: "look at your files, or at one folder",
    examples: ["files", "files letters"],
    read: (rest) => (rest === "" ? { do: "files" } : { do: "files", folder: nameIn(rest) }),
  },
  {
    do: "undo",
    words: "undo",
    argument: { name: "last|that|EVENT" },
    help: "take back the last thing that was done, or one event",
    examples: ["undo", "undo that", "undo 120"],
    read(rest) {
      const target = targetIn(rest);
      return target === undefined ? undefined : { do: "undo", target };
    },
  },
  plain("redo", "redo", "do again what was taken back last"),
  {
    do: "go-back",
    words: "go back to",
    also: ["go back", "rewind to", "rewind"],
    argument: {
      name: "WHEN|EVENT",
      needs: "a time that has been ('10 minutes ago', 'yesterday 14:00') or an event ('event 120')",
    },
    help: "make everything as it was at a moment; that can be undone, too",
    examples: ["go back to 10 minutes ago", "go back to yesterday 14:00", "go back to event 120"],
    read(rest, now) {
      const to = parseWhen(rest, now);
      return to === undefined ? undefined : { do: "go-back", to };
    },
    isMeant: (rest) => isAboutTime(rest) || !/\s/.test(rest), // one word alone tells nobody what to do
  },
  plain("timeline", "timeline", "see everything that happened"),
  {
    do: "run",
    words: "run",
    argument: { name: "CMD", needs: "a command line" },
    help: "run a command in the sandbox; what it does to your files can be undone",
    examples: ["run ls -l", "run wc -w *.md"],
    read: (rest) => (NO_PROGRAM.test(rest) ? undefined : { do: "run", line: rest }),
  },
  {
    do: "theme",
    words: "theme",
    argument: { name: "light|dark|system", needs: "'light', 'dark' or 'system'", choices: ["light", "dark", "system"] },
    help: "light or dark, or as your system has it",
    examples: ["theme light", "theme dark"],
    read(rest) {
      const scheme = (["light", "dark", "system"] as const).find((one) => one === rest.toLowerCase());
      return scheme === undefined ? undefined : { do: "theme", scheme };
    },
    isMeant: (rest) => /^\S+$/.test(rest),
  },
  {
    do: "wallpaper",
    words: "wallpaper",
    argument: { name: "FILE|none", needs: "the name of a file that is a picture, or 'none'" },
    help: "put a picture behind the windows, or remove it",
    examples: ["wallpaper pictures/sea.jpg", "wallpaper none"],
    read: (rest) => (rest.toLowerCase() === "none" ? { do: "wallpaper" } : { do: "wallpaper", file: nameIn(rest) }),
  },
  plain("export", "export", "your whole computer in one file"),
  plain("settings", "settings", "what can be set"),
  plain("show-desktop", "show desktop", "put all windows out of sight, or back"),
  plain("close", "close", "close the window in front"),
  plain("sign-out", "sign out", "end this session"),
  {
    do: "help",
    words: "help",
    argument: { name: "WORD" },
    help: "what can be said here, or what a word means",
    examples: ["help", "help undo"],
    read(rest) {
      if (rest === "") return { do: "help" };
      return /^\S+$/.test(rest) && rest.toLowerCase() !== "me" ? { do: "help", word: rest } : undefined;
    },
  },
];

/** As the help shows it: `new doc [NAME]`. */
export function shape({ argument, words }: Phrase): string {
  if (argument === undefined) return words;
  return argument.needs === undefined ? `${words} [${argument.name}]` : `${words} ${argument.name}`;
}

function plain(name: Bare, words: string, help: string): Phrase {
  return { do: name, words, help, examples: [words], read: () => ({ do: name }) };
}

/** A name may stand in quotes, or be marked as a file's with `@`. */
function nameIn(rest: string): string {
  const name = rest.replace(/^@(?=.)/, "");
  return /^(["']).+\1$/s.test(name) ? name.slice(1, -1) : name;
}

function targetIn(rest: string): Target | "last" | "that" | undefined {
  const word = rest.toLowerCase();
  if (word === "" || word === "last" || word === "it") return "last";
  if (word === "that" || word === "this") return "that";
  const [, seq] = /^(?:event |#)?(\d{1,15})$/.exec(word) ?? [];
  if (seq !== undefined) return Number(seq) > 0 ? { seq: Number(seq) } : undefined;
  const [, kind, id] = /^(call|task|ask):(\S+)$/.exec(rest) ?? [];
  const named = Id.safeParse(id).data;
  if (named === undefined) return undefined;
  return kind === "call" ? { call: named } : kind === "task" ? { task: named } : { ask: named };
}
