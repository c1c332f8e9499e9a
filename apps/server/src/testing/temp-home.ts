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

interface Surroundings {
  readonly env?: NodeJS.ProcessEnv;
  /** Standard input. A source may be endless: it is left when nobody needs it any more. */
  readonly input?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly screen?: boolean;
  /** Whether the input is a keyboard. */
  readonly typed?: boolean;
  /** May stop it: a command that follows ends no other way. */
  onLine?(line: string, stop: () => void): void;
  /** May hold it back. */
  onOutput?(): void | Promise<void>;
  onAside?(): void;
  onProgress?(line: string, stop: () => void): void;
  readonly signal?: AbortSignal;
}

/** One command line, with what it wrote. */
export async function choir(home: Home, words: readonly string[], options: Surroundings = {}): Promise<Ran> {
  const ran = await choirBytes(home, words, options);
  return { ...ran, out: ran.out.toString("utf8") };
}

/** The same, for output that isn't text. */
export async function choirBytes(home: Home, words: readonly string[], options: Surroundings = {}) {
  const stop = new AbortController();
  const out: Uint8Array[] = [];
  let aside = "";
  const end = words.indexOf("--");
  const before = end === -1 ? words.length : end;
  const line = words.length === 0 ? [] : [...words.slice(0, before), "--home", home.path, ...words.slice(before)];
  const exit = await runCli(line, options.env ?? {}, {
    input: (signal) => untilAborted(options.input ?? "", signal),
    async out(line) {
      out.push(Buffer.from(`${line}\n`));
      options.onLine?.(line, () => stop.abort());
    },
    async outBytes(bytes) {
      out.push(Uint8Array.from(bytes)); // a copy: whoever hands them out may use them again
      await options.onOutput?.();
    },
    typed: options.typed ?? false,
    screen: options.screen ?? false,
    asideScreen: options.screen ?? false,
    colour: false,
    aside(line) {
      aside += `${line}\n`;
    },
    async asideBytes(bytes) {
      options.onAside?.();
      aside += Buffer.from(bytes).toString("utf8");
    },
    progress(line) {
      if (line !== "") options.onProgress?.(line, () => stop.abort());
    },
    leave() {}, // it is the test's own process
    signal: options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal]),
  });
  return { exit, out: Buffer.concat(out), aside };
}

async function* untilAborted(input: string | Uint8Array | AsyncIterable<Uint8Array>, signal: AbortSignal) {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {}); // it may come when nobody reads any more
  const pieces = typeof input === "object" && Symbol.asyncIterator in input ? input : whole(input);
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (next.done === true) return;
    yield next.value;
  }
}

async function* whole(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  if (input.length > 0) yield Buffer.from(input);
}
