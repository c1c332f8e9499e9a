import { lstat, readlink } from "node:fs/promises";
import { join, posix, relative } from "node:path";
import { HOME_INSIDE } from "@choiros/computer";

/** `unknown`: a link leads out of the computer, or it can't be looked at. A command may know more. */
type Kind = "folder" | "nothing" | "other" | "unknown";

/** As the kernel has it. */
const MOST_LINKS = 40;

/** What a command finds at a path of its computer, whose folder has another name for it than for us. */
export async function kindInside(root: string, path: string, links = 0): Promise<Kind> {
  if (links > MOST_LINKS) return "nothing";
  const names = path.split("/").filter((name) => name !== "");
  let at = root;
  for (const [i, name] of names.entries()) {
    const here = join(at, name);
    const found = await lstat(here).catch(missOf);
    if (typeof found === "string") return found;
    if (found.isSymbolicLink()) {
      const target = posix.resolve(HOME_INSIDE, relative(root, at), await readlink(here), ...names.slice(i + 1));
      const below = relative(HOME_INSIDE, target);
      return below.startsWith("..") ? "unknown" : kindInside(root, below, links + 1);
    }
    if (!found.isDirectory()) return i === names.length - 1 ? "other" : "nothing";
    at = here;
  }
  return "folder";
}

function missOf({ code }: NodeJS.ErrnoException): Kind {
  return code === "ENOENT" ? "nothing" : "unknown";
}
