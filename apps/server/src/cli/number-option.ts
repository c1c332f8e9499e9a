import { UsageError } from "../command-error.ts";

/** A whole number from an option, or `undefined` where it wasn't given. */
export function numberOption(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} takes a whole number, not '${value}'`);
}

/** The number of an event, or 0 for the beginning, from an option or a word. */
export function seqArgument(name: string, value: unknown): number {
  if (typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`${name} takes the number of an event, as 'choir events' shows it, not '${value}'`);
}

/** `--at SEQ`, where it was given. */
export function momentOption(value: unknown): { readonly at?: number } {
  return value === undefined ? {} : { at: seqArgument("--at", value) };
}
