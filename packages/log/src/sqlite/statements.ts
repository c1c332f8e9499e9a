import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Each of them prepared, under its name. */
export function prepareAll<Name extends string>(
  db: DatabaseSync,
  sql: Readonly<Record<Name, string>>,
): Record<Name, StatementSync> {
  const prepared = Object.entries<string>(sql).map(([name, text]) => [name, db.prepare(text)]);
  return Object.fromEntries(prepared); // the same names
}
