import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { body, type Draft, link } from "@choiros/contract";
import { openStore } from "@choiros/log";
import { onTestFinished } from "vitest";
import { runCli } from "../cli/cli.ts";
import type { ExitCode } from "../cli/command.ts";
import { Home } from "../home.ts";

/** A folder of its own for one test, gone afterwards. */
export function tempHome(): Home {
  const path = mkdtempSync(join(tmpdir(), "choir-home-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return new Home(path);
}

/** A home with one computer, `ada`, that these things happened to. */
export async function homeWith(...drafts: Draft[]): Promise<Home> {
  const home = tempHome();
  const opened = await openStore({ dir: home.storeOf("ada"), userId: "ada", mode: "write", create: true });
  if (!opened.ok) throw new Error(opened.message);
  for (const draft of drafts) await opened.store.log.append(draft);
  await opened.store.close();
  return home;
}

/** Appends an event as a newer version might: with a right hash, and things in it that this one doesn't know. */
export function appendForeign(home: Home, event: { type: string; source: string; v?: number }): void {
  const db = new DatabaseSync(join(home.storeOf("ada"), "log.sqlite"));
  const last = db.prepare("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").get();
  const seq = Number(last?.seq) + 1;
  const text = body({ v: 1, id: `foreign-${seq}`, seq, ts: "2026-01-01T00:00:00.000Z", payload: {}, ...event });
  const digest = hash("sha256", link(String(last?.hash), text));
  const row = db.prepare("INSERT INTO event (seq, id, type, hash, body) VALUES (?, ?, ?, ?, ?)");
  row.run(seq, `foreign-${seq}`, event.type, digest, text);
  db.close();
}

export const said = (text: string): Draft => ({ source: "user", type: "message", payload: { text } });

export interface Ran {
  readonly exit: ExitCode;
  readonly out: string;
  readonly aside: string;
}

/** One command line, with what it wrote. `onLine` may stop it: a command that follows ends no other way. */
export async function choir(
  home: Home,
  words: readonly string[],
  options: { env?: NodeJS.ProcessEnv; onLine?: (line: string, stop: () => void) => void } = {},
): Promise<Ran> {
  const stop = new AbortController();
  let out = "";
  let aside = "";
  const line = words.length === 0 ? [] : [...words, "--home", home.path];
  const exit = await runCli(line, options.env ?? {}, {
    async out(line) {
      out += `${line}\n`;
      options.onLine?.(line, () => stop.abort());
    },
    aside(line) {
      aside += `${line}\n`;
    },
    progress() {},
    signal: stop.signal,
  });
  return { exit, out, aside };
}
