import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Computer, openComputer } from "@choiros/computer";
import type { Browser, Page, WebSocket } from "playwright-core";
import { onTestFinished, vi } from "vitest";
import { MAIN, type Started, serve, signIn } from "./served.ts";

const execFileAsync = promisify(execFile);

/** A server and a browser are started for each: on a busy machine that takes its time. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** A folder of its own for one test, gone afterwards. */
export function tempHome(): string {
  const home = mkdtempSync(join(tmpdir(), "choir-console-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Lets things happen to ada's computer before anybody looks. */
export async function live(home: string, what: (computer: Computer) => Promise<void>): Promise<void> {
  const opened = await openComputer({ root: join(home, "users", "ada"), userId: "ada", create: true });
  if (!opened.ok) throw new Error(opened.message);
  await what(opened.computer);
  await opened.computer.close();
}

/** Stopped when the test is over. */
export async function startServer(home: string, options: { readonly port?: number } = {}): Promise<Started> {
  const started = await serve(home, options);
  onTestFinished(() => started.stop());
  return started;
}

/** The command line, run to its end; what it printed. */
export async function choir(home: string, words: readonly string[], input = ""): Promise<string> {
  const run = execFileAsync(process.execPath, [MAIN, ...words], { env: { ...process.env, CHOIR_HOME: home } });
  run.child.stdin?.end(input);
  return (await run).stdout;
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

export async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}
