import type { z } from "zod";
import { faults, firstOf } from "./faults.ts";

const MOST = 2;

/** What a schema found wrong in a file that people write by hand, in their words. */
export function plainReasons(error: z.ZodError): string {
  return firstOf(
    faults(error.issues, [], (path, issue) => `${placeOf(path)} ${faultOf(issue)}`),
    MOST,
  );
}

/** `icons.0.column` is “column” of icon 1. */
function placeOf(path: readonly PropertyKey[]): string {
  const places: string[] = [];
  for (const [i, part] of path.entries()) {
    const list = String(path[i - 1]);
    if (typeof part !== "number") places.unshift(`“${String(part)}”`);
    else places[0] = LISTED[list] === undefined ? `“${list}” ${part + 1}` : `${LISTED[list]} ${part + 1}`;
  }
  return places.length === 0 ? "it" : places.join(" of ");
}

const LISTED: { readonly [list: string]: string } = { apps: "app", icons: "icon" };

function faultOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined")
        ? "is missing"
        : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${listed(issue.values.map(String))}`;
    case "unrecognized_keys":
      return `has ${issue.keys.map((key) => `“${key}”`).join(", ")}, which isn't known here`;
    case "too_small":
      return isNumber(issue.origin) ? `must be at least ${issue.minimum}` : "must not be empty";
    case "too_big":
      return isNumber(issue.origin) ? `must be at most ${issue.maximum}` : `must not be longer than ${issue.maximum}`;
    default:
      return issue.message; // our own, which go on from the name
  }
}

const TYPES: { readonly [expected: string]: string } = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

function isNumber(origin: string): boolean {
  return origin === "int" || origin === "number";
}

function listed(values: readonly string[]): string {
  const all = values.map((value) => `“${value}”`);
  return [all.slice(0, -1).join(", "), ...all.slice(-1)].filter((part) => part !== "").join(" or ");
}
