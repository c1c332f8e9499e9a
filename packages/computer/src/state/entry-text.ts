import type { Entry } from "@choiros/contract";

/** An entry as its row has it: `d0755`, or `f0644` with the hash and the size after it. Everything but the size has a fixed place. */
export function entryText(entry: Entry): string {
  const mode = entry.mode.toString(8).padStart(4, "0");
  return entry.kind === "dir" ? `d${mode}` : `${entry.kind === "link" ? "l" : "f"}${mode}${entry.hash}${entry.size}`;
}

/** Reads what `entryText` wrote, from the beginning of `text` up to `end`. */
export function entryFrom(text: string, end: number = text.length): Entry {
  const mode = Number.parseInt(text.slice(1, 5), 8);
  if (text.startsWith("d")) return { kind: "dir", mode };
  const kind = text.startsWith("l") ? "link" : "file";
  return { hash: text.slice(5, 69), kind, mode, size: Number(text.slice(69, end)) };
}

/** Where the text of an entry ends that something else follows, after a space. */
export function entryEnd(text: string): number {
  return text.startsWith("d") ? 5 : text.indexOf(" ", 69);
}
