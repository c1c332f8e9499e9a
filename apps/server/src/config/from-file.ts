import { readFile } from "node:fs/promises";
import { parse, TomlError, type TomlTable, type TomlValue } from "smol-toml";
import { nearest } from "../nearest.ts";
import { locate } from "./locate.ts";
import { KEYS, type Key, NO_SECTIONS, SECTIONS } from "./schema.ts";
import { type ConfigProblem, type Place, type Reading, showPlace } from "./source.ts";
import { faultOf } from "./value.ts";

/** No setting's name is as long. */
const MOST_SHOWN = 40;

/** What `config.toml` says. Where there is no such file, it says nothing. */
export async function readConfigFile(file: string): Promise<Reading> {
  const bytes = await bytesOf(file);
  if (bytes === undefined) return { problems: [], settings: [] };
  if (bytes instanceof Error) return refused({ file }, `can't be read: ${bytes.message}`);
  const toml = decode(bytes);
  if (toml === undefined) return refused({ file }, "is not UTF-8 text");
  const table = tableOf(toml);
  if (table instanceof TomlError) return refused({ file, line: table.line }, `is not TOML: ${reasonOf(table)}`);
  return judge(file, toml, table);
}

type Statement =
  | { readonly path: readonly string[]; readonly message: string }
  | { readonly path: readonly string[]; readonly key: Key; readonly value: unknown };

function judge(file: string, toml: string, table: TomlTable): Reading {
  const statements = Object.entries(table).flatMap(([name, value]) => statementsOf(name, value));
  const lines = locate(
    toml,
    statements.map((statement) => statement.path),
  );
  const readings = statements.map((statement, i): Reading => {
    const line = lines[i];
    const place = line === undefined ? { file } : { file, line };
    if ("message" in statement) return refused(place, statement.message);
    return { problems: [], settings: [{ key: statement.key, place, value: statement.value }] };
  });
  return {
    problems: readings.flatMap((reading) => reading.problems).sort(byLine),
    settings: readings.flatMap((reading) => reading.settings),
  };
}

function statementsOf(name: string, value: TomlValue): Statement[] {
  if (!SECTIONS.includes(name) || !isTable(value)) return [{ message: sectionFault(name, value), path: [name] }];
  return Object.entries(value).map(([leaf, setting]): Statement => {
    const path = [name, leaf];
    const key = KEYS.find((known) => known.section === name && known.leaf === leaf);
    if (key === undefined) return { message: unknownKey(name, leaf), path };
    const fault = faultOf(key, setting);
    return fault === undefined ? { key, path, value: setting } : { message: `${key.name} ${fault}`, path };
  });
}

function sectionFault(name: string, value: TomlValue): string {
  if (SECTIONS.includes(name)) return `${name} must be one section: [${name}] on a line of its own, its keys below`;
  const why = NO_SECTIONS.get(name);
  if (why !== undefined) return `[${name}] ${why}; take it out`;
  return isTable(value) || Array.isArray(value) ? unknownSection(name) : outsideSection(name);
}

function unknownSection(name: string): string {
  const like = nearest(name, SECTIONS);
  const hint = like === undefined ? "" : `; did you mean [${like}]?`;
  return `[${bare(name)}] is not a section${hint || "."} Sections: ${SECTIONS.map((section) => `[${section}]`).join(", ")}`;
}

function outsideSection(name: string): string {
  const like = nearest(
    name,
    KEYS.map((key) => key.leaf),
  );
  const meant = KEYS.find((key) => key.leaf === like);
  const hint = meant === undefined ? "" : `; did you mean ${meant.leaf} below [${meant.section}]?`;
  return `${bare(name)} stands outside a section${hint || "."} Keys: ${KEYS.map((key) => key.name).join(", ")}`;
}

function unknownKey(section: string, leaf: string): string {
  const leaves = KEYS.filter((key) => key.section === section).map((key) => key.leaf);
  const like = nearest(leaf, leaves);
  const hint = like === undefined ? "" : `; did you mean ${section}.${like}?`;
  return `${section}.${bare(leaf)} is not a key${hint || "."} Keys of [${section}]: ${leaves.join(", ")}`;
}

/**
 * A name as it would stand in the file, so that one with a line break in it still is one line. One that is longer than any
 * may be a key in the wrong place: its line tells where.
 */
function bare(name: string): string {
  if (name.length > MOST_SHOWN) return "…";
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

/** Dates are objects too, and would pass for a table with nothing in it. */
function isTable(value: TomlValue): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
}

async function bytesOf(file: string): Promise<Uint8Array | Error | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR") ? undefined : error;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined; // not UTF-8: that is the answer, not an error
  }
}

function tableOf(toml: string): TomlTable | TomlError {
  try {
    return parse(toml, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

/** Without the piece of the file that the parser adds below: it may hold a secret. */
function reasonOf(error: TomlError): string {
  const [reason = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
  return reason;
}

function refused(place: Place, message: string): Reading {
  return { problems: [{ place, text: `${showPlace(place)}: ${message}` }], settings: [] };
}

function byLine(a: ConfigProblem, b: ConfigProblem): number {
  return lineOf(a.place) - lineOf(b.place);
}

function lineOf(place: Place): number {
  return "line" in place ? (place.line ?? 0) : 0;
}
