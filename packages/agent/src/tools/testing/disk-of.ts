import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Everything in a folder of the host, by its path. */
export function diskOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    found[name] = lstatSync(path).isFile() ? readFileSync(path, "utf8") : "folder";
  }
  return found;
}
