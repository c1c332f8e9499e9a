import { plain } from "@choiros/contract";

const MOST_BYTES = 255;

/** What is wrong with a name that somebody wants to give, as a sentence; `taken` are the names that are there. */
export function faultOfName(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name.trim() === "") return "A name needs at least one character.";
  if (name === "." || name === "..") return `“${name}” means a folder already. Choose another name.`;
  if (name.includes("/")) return "A name can't have a slash in it: slashes part folders.";
  if (plain(name) !== name) return "That name has characters that can't be seen.";
  const bytes = new TextEncoder().encode(name).length;
  if (bytes > MOST_BYTES) return `That name is too long: it has ${bytes} bytes, and may have ${MOST_BYTES}.`;
  if (taken.has(name)) return `“${name}” is here already.`;
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** The same of a name with folders before it: each of them has one. */
export function faultOfPath(path: string): string | undefined {
  if (/^\/+[^/]/.test(path))
    return `“${path}” begins with a slash: say it from your workspace on, as “${path.replace(/^\/+(?:workspace\/)?/, "")}”.`;
  if (path.endsWith("/") && path.length > 1) return `“${path}” names a folder only: a name has to follow the slash.`;
  for (const name of path.split("/")) {
    const fault = faultOfName(name, NONE);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
