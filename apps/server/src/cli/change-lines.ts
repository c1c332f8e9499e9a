import type { Shown } from "@choiros/gateway/operations";
import type { Terminal } from "./command.ts";
import { changeText } from "./entry-text.ts";
import { plain } from "./plain.ts";

const RED = "\x1b[31m";
const GREEN = "\x1b[32m";
const CYAN = "\x1b[36m";
const BOLD = "\x1b[1m";
const PLAIN = "\x1b[0m";

/** One change: as git writes it for a file or a link, so that `git apply` takes it; in one line for all else. */
export async function showChange(terminal: Terminal, { change, lines }: Shown): Promise<void> {
  // What git knows nothing of, and passes over.
  const named = lines === undefined || isDirectory(change) ? `${plain(changeText(change))}\n` : "";
  await terminal.outBytes(Buffer.from(named + (lines === undefined ? "" : diffText(terminal, lines))));
}

function isDirectory(change: Shown["change"]): boolean {
  return "key" in change && (change.before?.kind === "dir" || change.after?.kind === "dir");
}

const BINARY = /^index [0-9a-f.]+\nGIT binary patch\n(?:literal \d+\n(?:.+\n)*\n){2}/gm;

/** What a terminal would obey is written out first: the only commands it gets are ours. A program gets every byte. */
function diffText({ colour, screen }: Terminal, diff: string): string {
  if (!screen) return diff;
  let hunks = false;
  const shown = diff
    .replace(BINARY, "It isn't text, and is another one now\n") // pages of it would tell a person nothing
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      if (line.startsWith("diff --git ")) hunks = false;
      if (line.startsWith("@@")) hunks = true;
      const safe = line.split("\t").map(plain).join("\t");
      const paint = colour ? colourOf(line, hunks) : "";
      return paint === "" ? safe : `${paint}${safe}${PLAIN}`;
    });
  return `${shown.join("\n")}\n`;
}

function colourOf(line: string, inHunk: boolean): string {
  if (!inHunk) return BOLD;
  if (line.startsWith("@@")) return CYAN;
  if (line.startsWith("+")) return GREEN;
  return line.startsWith("-") ? RED : "";
}
