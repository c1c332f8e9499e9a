import { DEFAULT_LIMITS } from "@choiros/sandbox";
import { z } from "zod";

interface About {
  /** What a value may be, to stand after "must be". */
  readonly allowed: string;
  readonly description: string;
  /** What the text of an environment variable means. Text that means nothing here stays text, and is refused as such. */
  readonly fromText: (text: string) => unknown;
  /** Words that are in the design but not in this version. */
  readonly unbuilt: readonly string[];
}

const about = z.registry<About>();

/** What limits on bytes are counted in. */
export const MB = 1024 * 1024;
const MOST_MB = 1_000_000;
/** With less not even a shell starts. */
export const LEAST_MEMORY_MB = 16;

/**
 * Every setting there is: its type, default, allowed values and description. Validation, the names of the environment
 * variables and `choir config explain` are all made from this, so a setting can't be in one and missing in another.
 */
export const Config = z.strictObject({
  limits: z
    .strictObject({
      cpu: wholeNumber(1, 1024, {
        default: DEFAULT_LIMITS.cpu,
        description: "How many cores a command may keep busy; more of them isn't refused, only slower.",
      }),
      disk_mb: wholeNumber(1, MOST_MB, {
        default: DEFAULT_LIMITS.diskBytes / MB,
        description:
          "What a command may write to the disk, /tmp and its home together, in megabytes (of 1,048,576 bytes).",
      }),
      memory_mb: wholeNumber(LEAST_MEMORY_MB, MOST_MB, {
        default: DEFAULT_LIMITS.memoryBytes / MB,
        description: "What the processes of a command may have in memory together, in megabytes.",
      }),
      open_files: wholeNumber(16, 1_048_576, {
        default: DEFAULT_LIMITS.openFiles,
        description: "How many files each process of a command may have open.",
      }),
      output_mb: wholeNumber(1, MOST_MB, {
        default: DEFAULT_LIMITS.outputBytes / MB,
        description: "What a command may write to standard output and standard error together, in megabytes.",
      }),
      processes: wholeNumber(8, 1_000_000, {
        default: DEFAULT_LIMITS.processes,
        description: "How many processes and threads a command may have at once.",
      }),
      time_s: wholeNumber(1, 2_000_000, {
        default: DEFAULT_LIMITS.timeMs / 1000,
        description: "How long a command may take, in seconds.",
      }),
    })
    .prefault({}),
  log: z
    .strictObject({
      engine: oneOf(["sqlite"], {
        default: "sqlite",
        description: 'What keeps the event log of each computer; "sqlite" is a file in the computer\'s own folder.',
        unbuilt: ["nats"],
      }),
    })
    .prefault({}),
  runtime: z
    .strictObject({
      mode: oneOf(["local", "unsafe"], {
        default: "local",
        description:
          'Where commands run; "local" is in a sandbox on this machine, "unsafe" is without one: they can do all that you can.',
        unbuilt: ["container", "microvm", "tee"],
      }),
    })
    .prefault({}),
  server: z
    .strictObject({
      port: wholeNumber(0, 65_535, {
        default: 4680,
        description: "The port that the server listens on, on this machine only; 0 takes any free one.",
      }),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;

/** In the design, but not in this version. They are refused like any unknown name, only with a better reason. */
export const UNBUILT_SECTIONS: readonly string[] = ["git", "models", "storage", "tee"];
export const UNBUILT_KEYS: readonly string[] = [
  "server.allowed_origins",
  "server.console_host",
  "server.desk_host",
  "server.listen",
  "server.public_url",
  "server.tls_cert",
  "server.tls_key",
];

export interface Key extends About {
  /** `server.port` */
  readonly name: string;
  readonly section: string;
  readonly leaf: string;
  /** `CHOIR_SERVER_PORT` */
  readonly variable: string;
  readonly schema: z.ZodType;
}

export const KEYS: readonly Key[] = Object.entries(Config.shape).flatMap(([section, schema]) =>
  Object.entries(schema.unwrap().shape).map(([leaf, value]) => keyOf(section, leaf, value)),
);

export const SECTIONS: readonly string[] = Object.keys(Config.shape);

/** `server.tls_key` is `CHOIR_SERVER_TLS_KEY`. */
export function variableOf(name: string): string {
  return `CHOIR_${name.replaceAll(".", "_").toUpperCase()}`;
}

function keyOf(section: string, leaf: string, schema: z.ZodType): Key {
  const facts = about.get(schema);
  if (facts === undefined) throw new Error(`${section}.${leaf} is in the schema, but says nothing about itself`);
  const name = `${section}.${leaf}`;
  return { ...facts, leaf, name, schema, section, variable: variableOf(name) };
}

function oneOf<const Word extends string>(
  words: readonly [Word, ...Word[]],
  key: { default: NoInfer<Word>; description: string; unbuilt: readonly string[] },
) {
  const allowed = words.map((word) => JSON.stringify(word)).join(" or ");
  const error = ({ input }: { input?: unknown }) =>
    key.unbuilt.some((word) => word === input)
      ? `that isn't built yet in this version; must be ${allowed}`
      : `must be ${allowed}`;
  const schema = z.literal(words, { error }).default(key.default);
  about.add(schema, { allowed, description: key.description, fromText: (text) => text, unbuilt: key.unbuilt });
  return schema;
}

function wholeNumber(min: number, max: number, key: { default: number; description: string }) {
  const allowed = `a whole number from ${min} to ${max}`;
  const error = `must be ${allowed}`;
  const schema = z.int({ error }).min(min, { error }).max(max, { error }).default(key.default);
  about.add(schema, { allowed, description: key.description, fromText: numberFromText, unbuilt: [] });
  return schema;
}

function numberFromText(text: string): unknown {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
