import { plainText } from "@choiros/contract";

const ESCAPE = "\u001b";
/** Colours and steps of a terminal's cursor; titles of its window. */
const FOR_A_TERMINAL = new RegExp(
  `${ESCAPE}(?:\\[[\\d;?]*[ -/]*[@-~]|\\][^${ESCAPE}\\u0007]*(?:\\u0007|${ESCAPE}\\\\))`,
  "g",
);

/** What a command wrote, as somebody at a terminal would see it in the end: of a line that it wrote over, the last. */
export function outputText(written: string): string {
  const lines = written
    .replace(FOR_A_TERMINAL, "")
    .split(/\r?\n/)
    .map((line) => line.replace(/\r+$/, "").replace(/^.*\r/s, ""));
  return plainText(lines.join("\n").trimEnd());
}
