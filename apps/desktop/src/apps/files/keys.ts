import { isBelow, parentKey, plain } from "@choiros/contract";

/** The last part of a key, spelled as keys are. */
export function partOf(key: string): string {
  const parent = parentKey(key);
  return parent === undefined ? key : key.slice(parent.length + 1);
}

export function keyIn(folder: string, part: string): string {
  return `${folder}/${part}`;
}

/** The part as people see it: odd bytes and what can't be seen are written out. */
export function shownName(key: string): string {
  return plain(partOf(key)).replaceAll(/\/\/([0-9a-f]{2})/g, "\\x$1");
}

/** A notice on a phone has two lines, and there is more to say. */
const [MOST, HEAD, TAIL] = [32, 14, 10];

/** The same where there isn't room for any length: its beginning and its end. */
export function cutName(key: string): string {
  const name = [...shownName(key)];
  if (name.length <= MOST) return name.join("");
  return `${name.slice(0, HEAD).join("")}…${name.slice(-TAIL).join("")}`;
}

/** The whole way as people see it. */
export function shownWay(key: string): string {
  return crumbsOf(key)
    .map((crumb) => shownName(crumb))
    .join("/");
}

/** The keys of all that lies above, from the area on, and its own. */
export function crumbsOf(key: string): readonly string[] {
  const parent = parentKey(key);
  return parent === undefined ? [key] : [...crumbsOf(parent), key];
}

/** Without those that lie within another one of them: who takes that takes them along. */
export function outermost(keys: Iterable<string>): string[] {
  const all = new Set(keys);
  return [...all].filter((key) => !crumbsOf(key).some((above) => above !== key && all.has(above)));
}

export function isWithin(key: string, folder: string): boolean {
  return key === folder || isBelow(key, folder);
}
