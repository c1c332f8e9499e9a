import { parentKey, plain } from "@choiros/contract";
import { number } from "../../words.ts";

/** The name of a file as people see it: what can't be seen is written out. */
export function nameOf(key: string): string {
  return shown(key.slice((parentKey(key) ?? "").length).replace(/^\//, ""));
}

export function folderOf(key: string): string {
  return parentKey(key) ?? "workspace";
}

/** The way to a folder, from its area on. */
export function wayTo(folder: string): string {
  return shown(folder);
}

export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${number.format(bytes)} B`;
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KB"] : [bytes / 1024 ** 2, "MB"];
  return `${number.format(Math.round(size * 10) / 10)} ${unit}`;
}

function shown(text: string): string {
  return plain(text).replaceAll(/\/\/([0-9a-f]{2})/g, "\\x$1");
}
