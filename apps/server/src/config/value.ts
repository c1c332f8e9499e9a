import type { Key } from "./schema.ts";

const MAX_SHOWN = 80;

/** What is wrong with a value, to stand after the name of its key or variable; `undefined` where nothing is. */
export function faultOf(key: Key, value: unknown, asWritten: unknown = value): string | undefined {
  const result = key.schema.safeParse(value);
  return result.success ? undefined : `is ${showValue(asWritten)}: ${result.error.issues[0]?.message}`;
}

/**
 * A value as one line of text. The only way in which one gets into a message: of what isn't a known key
 * no value is ever shown, for it may be a secret that was put in the wrong place.
 */
export function showValue(value: unknown): string {
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : json(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

/** TOML has integers that JSON.stringify throws at. */
function json(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)) ?? String(value);
}
