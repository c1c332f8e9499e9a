import { parentKey, plain } from "@choiros/contract";

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

/** How a line for a shell names it: from the workspace on, where such lines run. */
export function shellPath(key: string): string {
  const path = key.startsWith("workspace/") ? key.slice("workspace/".length) : `../${key}`;
  const safe = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./@%+=:,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}

function shown(text: string): string {
  return plain(text).replaceAll(/\/\/([0-9a-f]{2})/g, "\\x$1");
}
