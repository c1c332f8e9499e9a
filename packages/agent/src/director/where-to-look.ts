import { AREAS, type Computer } from "@choiros/computer";
import { isGits, type Path, pathKey } from "@choiros/contract";

const MOST = 100;

/** Where of these a person finds something by now: files before folders, and nothing of git's own. */
export async function whereToLook(computer: Computer, paths: readonly Path[]): Promise<Path[]> {
  const files: Path[] = [];
  const folders: Path[] = [];
  for (const path of paths) {
    const key = pathKey(path);
    if (isGits(key)) continue;
    const isArea = AREAS.some((area) => area === key); // which no event made
    const kind = isArea ? "dir" : (await computer.read(key))?.entry.kind;
    if (kind !== undefined) (kind === "dir" ? folders : files).push(path);
    if (files.length === MOST) break;
  }
  return [...files, ...folders].slice(0, MOST);
}
