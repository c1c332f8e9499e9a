import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AwsKeys } from "./connection.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What AWS's own tools keep for a user: `~/.aws/credentials` and `~/.aws/config`. Nothing is asked of the network. */
export interface AwsProfile {
  readonly name: string;
  readonly keys: AwsKeys | undefined;
  readonly region: string | undefined;
}

export async function readAwsProfile(env: Environment, wanted?: string): Promise<AwsProfile> {
  const name = wanted ?? env.AWS_PROFILE ?? "default";
  const folder = join(env.HOME ?? homedir(), ".aws");
  const credentials = await sectionsOf(env.AWS_SHARED_CREDENTIALS_FILE ?? join(folder, "credentials"));
  const config = await sectionsOf(env.AWS_CONFIG_FILE ?? join(folder, "config"));
  const settings = new Map([
    ...(config.get(name === "default" ? name : `profile ${name}`) ?? []),
    ...(credentials.get(name) ?? []),
  ]);
  return { name, keys: keysOf((key) => settings.get(key)), region: settings.get("region") };
}

export function awsKeysOfEnvironment(env: Environment): AwsKeys | undefined {
  return keysOf((key) => env[key.toUpperCase()]);
}

export function awsRegionOfEnvironment(env: Environment): string | undefined {
  return env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined;
}

function keysOf(setting: (key: string) => string | undefined): AwsKeys | undefined {
  const accessKeyId = setting("aws_access_key_id");
  const secretAccessKey = setting("aws_secret_access_key");
  const sessionToken = setting("aws_session_token");
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

/** The form of AWS's files: `[section]`, then `key = value`. A file that can't be read has nothing for us. */
async function sectionsOf(file: string): Promise<Map<string, Map<string, string>>> {
  const text = await readFile(file, "utf8").catch(() => "");
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = /^\s*\[([^\]]+)\]/.exec(line) ?? [];
    if (heading !== undefined) {
      section = sections.get(heading.trim()) ?? new Map();
      sections.set(heading.trim(), section);
    }
    const [, key, value] = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) section.set(key.toLowerCase(), value);
  }
  return sections;
}
