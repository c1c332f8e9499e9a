import { AREAS } from "./folder/names.ts";

/** A key as people write the path, and as a command takes it: from the workspace on; else with a slash, from the root on. */
export function shownPath(key: string): string {
  return key.startsWith("workspace/") ? key.slice("workspace/".length) : `/${key}`;
}

/** Whether it is the key of a path, and not the name of a window or a setting. */
export function isPath(key: string): boolean {
  return AREAS.some((area) => key.startsWith(`${area}/`));
}

/** A path, or what is told from one by `name:`, a window or a setting. */
export function shownPlace(key: string): string {
  return isPath(key) ? shownPath(key) : `name:${key}`;
}
