import { nearest } from "../nearest.ts";
import { KEYS, NO_SECTIONS, variableOf } from "./schema.ts";
import type { Reading } from "./source.ts";
import { faultOf } from "./value.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** They say which computer, whose, and how to open its keys: not how the server is set up. */
const NOT_CONFIGURATION: readonly string[] = ["CHOIR_HOME", "CHOIR_SECRET_KEY", "CHOIR_USER"];

/** What the variables that begin with `CHOIR_` say. One that nobody reads is an error: it is a setting misspelled. */
export function readEnvironment(env: Environment): Reading {
  const readings = Object.entries(env)
    .filter(([variable]) => variable.startsWith("CHOIR_") && !NOT_CONFIGURATION.includes(variable))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([variable, text]) => (text === undefined ? nothing : readVariable(variable, text)));
  return {
    problems: readings.flatMap((reading) => reading.problems),
    settings: readings.flatMap((reading) => reading.settings),
  };
}

const nothing: Reading = { problems: [], settings: [] };

function readVariable(variable: string, text: string): Reading {
  const key = KEYS.find((known) => known.variable === variable);
  if (key === undefined) return refused(variable, unknownVariable(variable));
  const value = key.fromText(text);
  const fault = faultOf(key, value, text);
  if (fault !== undefined) return refused(variable, ` ${fault}`);
  return { problems: [], settings: [{ key, place: { variable }, value }] };
}

function unknownVariable(variable: string): string {
  for (const [name, why] of NO_SECTIONS)
    if (variable.startsWith(`${variableOf(name)}_`)) return `: [${name}] ${why}; take the variable out`;
  const variables = KEYS.map((key) => key.variable);
  const like = nearest(variable, [...variables, ...NOT_CONFIGURATION]);
  const hint = like === undefined ? "" : `; did you mean ${like}?`;
  return ` is not a setting${hint || "."} Settings: ${variables.join(", ")}`;
}

function refused(variable: string, rest: string): Reading {
  return { problems: [{ place: { variable }, text: `${variable}${rest}` }], settings: [] };
}
