import { join } from "node:path";
import { CommandError } from "../command-error.ts";
import { type Environment, readEnvironment } from "./from-environment.ts";
import { readConfigFile } from "./from-file.ts";
import { Config, KEYS } from "./schema.ts";
import type { ConfigProblem, Origin, Setting } from "./source.ts";

/** Where each key's value comes from, by the key's name. */
export type Origins = Readonly<Record<string, Origin>>;

export type LoadedConfig =
  | { readonly ok: true; readonly config: Config; readonly origins: Origins }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * The settings of the server: the defaults, then `{home}/config.toml`, then the environment, the later one winning.
 * Gives every problem at once. A wrong value is one also where the environment would win over it.
 */
export async function loadConfig({ home, env }: { home: string; env: Environment }): Promise<LoadedConfig> {
  const file = await readConfigFile(join(home, "config.toml"));
  const environment = readEnvironment(env);
  const problems = [...file.problems, ...environment.problems];
  if (problems.length > 0) return { ok: false, problems };
  const settings = new Map([...file.settings, ...environment.settings].map((setting) => [setting.key.name, setting]));
  return { config: Config.parse(tableOf(settings.values())), ok: true, origins: originsOf(settings) };
}

/** For whoever can do nothing without it. */
export async function configOf(home: string, env: Environment): Promise<Config> {
  const loaded = await loadConfig({ home, env });
  if (loaded.ok) return loaded.config;
  throw new CommandError("the configuration is wrong:", { more: loaded.problems.map(({ text }) => text) });
}

function originsOf(settings: ReadonlyMap<string, Setting>): Origins {
  const origins: Record<string, Origin> = {};
  for (const { name } of KEYS) origins[name] = settings.get(name)?.place ?? "default";
  return origins;
}

function tableOf(settings: Iterable<Setting>): Record<string, Record<string, unknown>> {
  const table: Record<string, Record<string, unknown>> = {};
  for (const { key, value } of settings) {
    const section = table[key.section] ?? {};
    section[key.leaf] = value;
    table[key.section] = section;
  }
  return table;
}
