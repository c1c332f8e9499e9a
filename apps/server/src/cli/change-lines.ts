import type { Shown } from "../access/shapes.ts";
import type { Terminal } from "./command.ts";
import { changeText } from "./entry-text.ts";
import { plain } from "./plain.ts";

const RED = "\x1b[31m";
const GREEN = "\x1b[32m";
const CYAN = "\x1b[36m";
const BOLD = "\x1b[1m";
const PLAIN = "\x1b[0m";

/** One change: line by line for a file of text, in one line for all else. */
export async function showChange(terminal: Terminal, { change, lines }: Shown): Promise<void> {
  const text = lines === undefined || lines === "" ? changeText(change) : lines.replace(/\n$/, "");
  const inColour = text.split("\n").map((line) => colourOf(line, terminal.colour, lines !== undefined));
  await terminal.outBytes(Buffer.from(`${inColour.join("\n")}\n`));
}

/** What a terminal would obey is written out first: the only commands it gets are ours. */
function colourOf(line: string, colour: boolean, isDiff: boolean): string {
  const safe = line.split("\t").map(plain).join("\t");
  if (!colour || !isDiff) return safe;
  if (/^(?:---|\+\+\+) /.test(line)) return `${BOLD}${safe}${PLAIN}`;
  if (line.startsWith("@@")) return `${CYAN}${safe}${PLAIN}`;
  if (line.startsWith("+")) return `${GREEN}${safe}${PLAIN}`;
  return line.startsWith("-") ? `${RED}${safe}${PLAIN}` : safe;
}
