import type { Json } from "./json.ts";
import { MAX_DEPTH } from "./limits.ts";

/** A value that has no canonical form. The message says which, and where. */
export class NotCanonical extends Error {
  override name = "NotCanonical";
}

/**
 * RFC 8785: no white space, keys in UTF-16 order, numbers and strings as ECMAScript writes them.
 * One value, one text, in every implementation: that is what can be hashed.
 */
export function canonicalise(value: Json): string {
  // Our schemas list their keys in order, so what they parsed mostly is canonical as it stands.
  return inspect(value, [], 0) ? JSON.stringify(value) : write(value);
}

/** The keys on the way to a value. What lies deeper than the value is left over from a neighbour. */
type Way = (string | number)[];

/** Refuses what JSON can't carry, and says whether every object already has its keys in order. */
function inspect(value: unknown, way: Way, depth: number): boolean {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new NotCanonical(`${place(way, depth)} has half a surrogate pair`);
    return true;
  }
  if (typeof value === "number") {
    if (Number.isFinite(value)) return true;
    throw new NotCanonical(`${place(way, depth)} is ${value}, which JSON has no number for`);
  }
  if (value === null || typeof value === "boolean") return true;
  if (typeof value !== "object") {
    throw new NotCanonical(`${place(way, depth)} is of type ${typeof value}, which JSON can't carry`);
  }
  if (depth > MAX_DEPTH) throw new NotCanonical(`nested more than ${MAX_DEPTH} levels deep`);
  return Array.isArray(value) ? inspectArray(value, way, depth) : inspectObject(value, way, depth);
}

function inspectArray(array: readonly unknown[], way: Way, depth: number): boolean {
  if ("toJSON" in array) throw new NotCanonical(`${place(way, depth)} is not a plain array`);
  let ordered = true;
  for (let i = 0; i < array.length; i++) {
    way[depth] = i;
    ordered = inspect(array[i], way, depth + 1) && ordered;
  }
  return ordered;
}

function inspectObject(object: object, way: Way, depth: number): boolean {
  const prototype = Object.getPrototypeOf(object);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in object) {
    throw new NotCanonical(`${place(way, depth)} is not a plain object`);
  }
  let ordered = true;
  let last = "";
  const members = object as Readonly<Record<string, unknown>>; // a plain object, as was just seen
  for (const key of Object.keys(members)) {
    const value = members[key];
    if (value === undefined) continue;
    if (!key.isWellFormed()) throw new NotCanonical(`a key in ${place(way, depth)} has half a surrogate pair`);
    if (key < last) ordered = false;
    last = key;
    way[depth] = key;
    ordered = inspect(value, way, depth + 1) && ordered;
  }
  return ordered;
}

function place(way: Way, depth: number): string {
  return `/${way.slice(0, depth).join("/")}`;
}

function write(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  const parts = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member)}`);
  return `{${parts.join(",")}}`;
}
