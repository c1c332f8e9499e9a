import { isIP } from "node:net";
import { DEFAULT_LIMITS } from "@choiros/sandbox";
import { z } from "zod";
import { isAddressRange, isDeskHost, isHost, isOrigin } from "./host-names.ts";
import { type About, aboutSetting, list, oneOf, text, wholeNumber } from "./setting.ts";

/** What limits on bytes are counted in. */
export const MB = 1024 * 1024;
const MOST_MB = 1_000_000;
/** With less not even a shell starts. */
export const LEAST_MEMORY_MB = 16;

/** Names of this machine. To a browser they are different sites. */
export const DEFAULT_HOSTS = { console: "choir.localhost", desk: "{computer}-desk.localhost" };

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
      allowed_origins: list({
        allowed: 'origins, as in "https://tools.example.com"',
        description:
          "Sites besides the console's own, below the same domain, whose pages may do in a signed-in browser all that the console can.",
        isOne: isOrigin,
      }),
      console_host: text({
        default: DEFAULT_HOSTS.console,
        allowed: 'a host name, as in "choir.example.com"',
        description: "The name of the console's site. With public_url it is the one in there.",
        isOne: isHost,
      }),
      desk_host: text({
        default: DEFAULT_HOSTS.desk,
        allowed: 'a host name with {computer} in its first part, as in "{computer}-desk.example.com"',
        description: "The names of the desktops' sites, one a computer. They are other sites than the console's.",
        isOne: isDeskHost,
      }),
      listen: text({
        default: "localhost",
        allowed: '"localhost" or an address, as in "192.168.1.5" or "::"',
        description:
          'The address that the server listens on; "localhost" is this machine only. Any other needs tls_cert and tls_key, or public_url with trusted_proxies.',
        isOne: (given) => given === "localhost" || isIP(given) !== 0,
      }),
      log: oneOf(["file", "stderr", "off"], {
        default: "file",
        description:
          'Where a line of JSON goes for each answer, without contents, names or secrets; "file" is run/server.log in the home, at most 20 MB with the one before it.',
        unbuilt: [],
      }),
      port: wholeNumber(0, 65_535, {
        default: 4680,
        description: "The port that the server listens on; 0 takes any free one.",
      }),
      public_url: text({
        default: "",
        allowed: 'an address without a path, as in "https://choir.example.com", or "" for none',
        description: "The address of the console as browsers see it, where a proxy or another port stands between.",
        isOne: (given) => given === "" || isOrigin(given),
      }),
      tls_cert: text({
        default: "",
        allowed: "the name of a file",
        description:
          "The certificate of both sites with those it rests on, in PEM; a name without / at its start is meant from the home.",
        isOne: isFileName,
      }),
      tls_key: text({
        default: "",
        allowed: "the name of a file",
        description: "The private key of tls_cert, in PEM, without a password.",
        isOne: isFileName,
      }),
      trusted_proxies: list({
        allowed: 'addresses, as in "10.0.0.2" or "10.0.0.0/8", and not of everybody',
        description: "The proxies before the server: what they say of who asks is believed, and of nobody else.",
        isOne: isAddressRange,
      }),
      upload_mb: wholeNumber(1, MOST_MB, {
        default: 10_240,
        description:
          "What one upload through the browser or the API may have, in megabytes; 'choir write', 'add' and 'import' take any size.",
      }),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;

export const NOT_BUILT = "isn't built yet in this version";

/** What is known, but no section here, with why. It is refused like any unknown name, only with a better reason. */
export const NO_SECTIONS: ReadonlyMap<string, string> = new Map([
  ["git", NOT_BUILT],
  ["models", "is no section: models are connected in the console, under Agents"],
  ["storage", NOT_BUILT],
  ["tee", NOT_BUILT],
]);

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
  const facts = aboutSetting(schema);
  if (facts === undefined) throw new Error(`${section}.${leaf} is in the schema, but says nothing about itself`);
  const name = `${section}.${leaf}`;
  return { ...facts, leaf, name, schema, section, variable: variableOf(name) };
}

function isFileName(given: string): boolean {
  return !given.includes("\0");
}
