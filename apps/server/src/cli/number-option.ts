import { UsageError } from "../command-error.ts";

/** A whole number from an option, or `undefined` where it wasn't given. */
export function numberOption(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} takes a whole number, not '${value}'`);
}
