import { parse, type TomlTable } from "smol-toml";

export type TomlPath = readonly (string | number)[];

/**
 * On which line each path of a TOML document is first set, `undefined` for one that isn't. The parser doesn't say;
 * but it can be asked. A document that parses also parses when it is cut between two statements, and never when it is
 * cut inside one: an open string, array or table is an error. So the statement that brings a path begins on the line
 * after the longest prefix that parses without it. (A key inside an inline table of several lines gets its first.)
 */
export function locate(toml: string, paths: readonly TomlPath[]): (number | undefined)[] {
  const found: (number | undefined)[] = paths.map(() => undefined);
  const lines = toml.split(/(?<=\n)/); // each with its own end: half a CRLF would be an error
  let statement = 1;
  for (let count = 1; count <= lines.length && found.includes(undefined); count++) {
    const table = parsed(lines.slice(0, count).join(""));
    if (table === undefined) continue;
    for (const [i, path] of paths.entries()) if (has(table, path)) found[i] ??= statement;
    statement = count + 1;
  }
  return found;
}

function parsed(toml: string): TomlTable | undefined {
  try {
    return parse(toml, { integersAsBigInt: "asNeeded" });
  } catch {
    return undefined; // cut inside a statement: that is the answer, not an error
  }
}

function has(table: TomlTable, path: TomlPath): boolean {
  let value: unknown = table;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return false;
    // `hasOwn` has just said that this property is there.
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return true;
}
