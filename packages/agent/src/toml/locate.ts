import { parse } from "smol-toml";

export type TomlPath = readonly PropertyKey[];

/**
 * On which line a path of a TOML document is first set. The parser doesn't say, but a document that parses also parses when
 * it is cut between two statements, and never inside of one: the path comes with the line after the longest prefix without it.
 */
export function locate(toml: string, path: TomlPath): number | undefined {
  const lines = toml.split(/(?<=\n)/); // each with its own end: half a CRLF would be an error
  let statement = 1;
  for (let count = 1; count <= lines.length; count++) {
    const table = parsed(lines.slice(0, count).join(""));
    if (table === undefined) continue;
    if (has(table, path)) return statement;
    statement = count + 1;
  }
  return undefined;
}

function parsed(toml: string): unknown {
  try {
    return parse(toml);
  } catch {
    return undefined; // cut inside of a statement: that is the answer, not an error
  }
}

function has(table: unknown, path: TomlPath): boolean {
  let value = table;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return false;
    value = Reflect.get(value, step);
  }
  return true;
}
