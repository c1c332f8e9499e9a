import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Computer, openComputer } from "@choiros/computer";
import { runCli } from "@choiros/server/cli";
import type { Browser, BrowserContextOptions, Page, WebSocket } from "playwright-core";
import { onTestFinished, vi } from "vitest";
import { type Home, rootOf } from "./home.ts";
import { type Started, serve, signIn } from "./served.ts";

/** A server and a browser are started for each: on a busy machine that takes its time. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** A folder of its own for one test, gone afterwards. */
export function tempHome(): Home {
  const path = mkdtempSync(join(tmpdir(), "choir-console-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return { path, user: "ada" };
}

/** Lets things happen to a computer before anybody looks. */
export async function live(home: Home, what: (computer: Computer) => Promise<void>): Promise<void> {
  const opened = await openComputer({ root: rootOf(home), userId: home.user, create: true });
  if (!opened.ok) throw new Error(opened.message);
  await what(opened.computer);
  await opened.computer.close();
}

/** Stopped when the test is over. */
export async function startServer(home: Home, options: Parameters<typeof serve>[1] = {}): Promise<Started> {
  const started = await serve(home.path, options);
  onTestFinished(() => started.stop());
  return started;
}

/** The command line, run to its end; what it printed. In this process: a new one for each would take longer than the rest. */
export async function choir({ path, user }: Home, words: readonly string[], input = ""): Promise<string> {
  const out: Uint8Array[] = [];
  let said = "";
  const code = await runCli(["--home", path, "--user", user, ...words], process.env, {
    async *input() {
      yield Buffer.from(input);
    },
    out: async (line) => void out.push(Buffer.from(`${line}\n`)),
    outBytes: async (bytes) => void out.push(Uint8Array.from(bytes)), // a copy: they may be used again
    aside(line) {
      said += `${line}\n`;
    },
    async asideBytes(bytes) {
      said += Buffer.from(bytes).toString();
    },
    progress() {},
    leave() {},
    ...{ typed: false, screen: false, colour: false, asideScreen: false },
    signal: new AbortController().signal,
  });
  if (code !== 0) throw Object.assign(new Error(`choir ${words.join(" ")}: ${said}`), { code });
  return Buffer.concat(out).toString();
}

/** A new person at a new browser, who has opened the link and clicked. */
export async function signedIn(
  browser: Browser,
  invited: { readonly link: string; readonly name?: string },
  prepare?: (page: Page) => Promise<void>,
): Promise<Page> {
  const page = await newPage(browser);
  await prepare?.(page);
  await signIn(page, invited);
  return page;
}

/** Until the desk in the page has all that it shows. */
export async function deskIn(page: Page): Promise<void> {
  await page.frameLocator("iframe").locator("main[aria-busy=false]").waitFor();
}

/** What the console hears over its sockets, from its first one on; its desk has its own. */
export interface Heard {
  readonly seqs: readonly number[];
  readonly sockets: readonly WebSocket[];
}

export function listenTo(page: Page): Heard {
  const heard = { seqs: [] as number[], sockets: [] as WebSocket[] };
  page.on("websocket", (socket) => {
    if (new URL(socket.url()).host !== new URL(page.url()).host) return;
    heard.sockets.push(socket);
    socket.on("framereceived", ({ payload }) => {
      const { event }: { event?: { seq: number } } = JSON.parse(String(payload)); // only what is needed of it
      if (event !== undefined) heard.seqs.push(event.seq);
    });
  });
  return heard;
}

export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}
