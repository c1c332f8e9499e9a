import type { Origins } from "./load.ts";
import { type Config, KEYS, NO_SECTIONS, NOT_BUILT } from "./schema.ts";
import { type Origin, showPlace } from "./source.ts";
import { showValue } from "./value.ts";

/** What `choir config explain` prints: each key with its value and where that comes from, and what is yet to come. */
export function explain(config: Config, origins: Origins, { json }: { json: boolean }): string {
  const keys = rows(config, origins);
  if (json) return JSON.stringify({ keys, not_built: notBuilt() });
  return [...keys.map(paragraph), unbuiltParagraph()].join("\n\n");
}

interface Row {
  readonly allowed: string;
  readonly default: unknown;
  readonly description: string;
  readonly environment: string;
  readonly key: string;
  readonly origin: Origin;
  readonly value: unknown;
}

function rows(config: Config, origins: Origins): Row[] {
  const values = new Map(
    Object.entries(config).flatMap(([section, settings]) =>
      Object.entries(settings).map(([leaf, value]): [string, unknown] => [`${section}.${leaf}`, value]),
    ),
  );
  return KEYS.map((key) => ({
    allowed: key.allowed,
    default: key.schema.parse(undefined),
    description: key.description,
    environment: key.variable,
    key: key.name,
    origin: origins[key.name] ?? "default",
    value: values.get(key.name),
  }));
}

function paragraph(row: Row): string {
  const from = row.origin === "default" ? "the default" : showPlace(row.origin);
  return [
    `${row.key} = ${showValue(row.value)}`,
    `    ${row.description}`,
    `    from:        ${from}`,
    `    allowed:     ${row.allowed}`,
    `    default:     ${showValue(row.default)}`,
    `    environment: ${row.environment}`,
  ].join("\n");
}

function unbuiltParagraph(): string {
  const heading = "Known, but not built yet in this version; setting one of these is an error:";
  return [heading, ...notBuilt().map((name) => `    ${name}`)].join("\n");
}

function notBuilt(): string[] {
  return [
    ...[...NO_SECTIONS].flatMap(([name, why]) => (why === NOT_BUILT ? `[${name}]` : [])),
    ...KEYS.flatMap((key) => key.unbuilt.map((word) => `${key.name} = ${JSON.stringify(word)}`)),
  ];
}
