import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "@choiros/server/cli";
import { onTestFinished } from "vitest";
import type { ScriptedModel } from "../model/scripted-model.ts";

/** A home whose roles are played by the scripted model, as its owner would have connected it. */
export function connectedHome({ url }: Pick<ScriptedModel, "url">): string {
  const home = mkdtempSync(join(tmpdir(), "choir-headless-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  connectHome(home, { url });
  return home;
}

/** Both roles of a home, from now on. */
export function connectHome(home: string, { url }: Pick<ScriptedModel, "url">): void {
  writeFileSync(
    join(home, "models.toml"),
    `[providers.local]
kind = "openai-compatible"
base_url = "${url}/v1"
key_from = "nowhere"

[roles.director]
provider = "local"
model = "director"

[roles.associate]
provider = "local"
model = "associate"
`,
    { mode: 0o600 },
  );
}

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly aside: string;
}

/** The command line, in this process; `heard` gets each line that is told at the side, as it comes. */
export async function choir(
  home: string,
  words: readonly string[],
  signal?: AbortSignal,
  heard?: (line: string) => void,
): Promise<Ran> {
  const [out, aside]: [string[], string[]] = [[], []];
  const exit = await runCli(
    ["--home", home, "--user", "ada", ...words],
    { PATH: process.env.PATH },
    {
      async *input() {},
      out: async (line) => void out.push(`${line}\n`),
      outBytes: async (bytes) => void out.push(Buffer.from(bytes).toString()),
      aside: (line) => {
        aside.push(`${line}\n`);
        heard?.(line);
      },
      asideBytes: async (bytes) => void aside.push(Buffer.from(bytes).toString()),
      progress() {},
      leave() {},
      ...{ typed: false, screen: false, colour: false, asideScreen: false },
      signal: signal ?? new AbortController().signal,
    },
  );
  return { exit, out: out.join(""), aside: aside.join("") };
}
