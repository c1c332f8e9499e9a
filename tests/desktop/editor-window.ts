import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { Home } from "../console/home.ts";
import { FLAGS } from "../console/served.ts";
import { choir } from "../console/stage.ts";
import { type OwnDesk, openDesk, say, windowOf } from "./desk.ts";
import type { Look } from "./look.ts";
import type { Seat } from "./seat.ts";

export interface Editing extends OwnDesk {
  readonly window: Locator;
  readonly content: Locator;
  /** The lines that are in sight. */
  text(): Promise<string>;
  status(): Promise<string | null>;
}

/**
 * A browser whose profile is on the disk, as people's is: one that is started again has what the former one had. By `frames`
 * it keeps something for a page in a frame of another site, too.
 */
export function withProfile({ frames = false } = {}): Browser {
  const profile = mkdtempSync(join(tmpdir(), "choir-profile-"));
  if (frames) {
    mkdirSync(join(profile, "Default"));
    writeFileSync(join(profile, "Default", "Preferences"), JSON.stringify({ profile: { cookie_controls_mode: 0 } }));
  }
  onTestFinished(() => rmSync(profile, { recursive: true, force: true }));
  const newContext = (look: BrowserContextOptions) =>
    chromium.launchPersistentContext(profile, { ...look, executablePath: "/usr/bin/chromium", args: FLAGS });
  return { newContext } as unknown as Browser; // nothing else is asked of it
}

/** A browser that keeps nothing, for no page. */
export function withoutMemory(browser: Browser): Browser {
  const newContext = async (look: BrowserContextOptions) => {
    const context = await browser.newContext(look);
    await context.addInitScript(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
    return context;
  };
  return { newContext } as unknown as Browser; // nothing else is asked of it
}

/** Ends it as a crash does: it has no time for anything. */
export async function kill(page: Page): Promise<void> {
  const context = page.context();
  const session = await context.browser()?.newBrowserCDPSession();
  const { processInfo } = (await session?.send("SystemInfo.getProcessInfo")) ?? { processInfo: [] };
  const own = processInfo.find(({ type }) => type === "browser");
  if (own === undefined) throw new Error("nobody knows which process it is");
  const gone = new Promise((resolve) => context.once("close", resolve));
  process.kill(own.id, "SIGKILL");
  await gone;
}

/** A person who has opened a file that had this in it. */
export async function editing(
  seat: Seat,
  look: Look,
  {
    name = "notes.md",
    bytes = "",
    ...options
  }: { name?: string; bytes?: string } & Parameters<typeof openDesk>[2] = {},
): Promise<Editing> {
  await choir(seat.home, ["write", name], bytes);
  const here = await openDesk(seat, look, options);
  await say(here, `open ${name}`);
  return inEditor(here, name);
}

/** The window of a file that is open. */
export async function inEditor(here: OwnDesk, name: string): Promise<Editing> {
  const window = await windowOf(here, name);
  const content = window.locator(".cm-content");
  await content.waitFor();
  return {
    ...here,
    window,
    content,
    text: async () => (await content.locator(".cm-line").allTextContents()).join("\n"),
    status: () => window.locator(".ed-saving").textContent(),
  };
}

export function fileIn(home: Home, name: string): Promise<string> {
  return choir(home, ["cat", name]);
}

/** Whether a draft in this browser has these words. */
export function draftHas(page: Page, words: string): Promise<boolean> {
  return page.evaluate(async (wanted) => {
    const [{ name = "" } = {}] = await indexedDB.databases();
    const ended = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await ended(indexedDB.open(name));
    const rows = await ended(database.transaction("rows").objectStore("rows").getAll());
    database.close();
    return JSON.stringify(rows).includes(wanted);
  }, words);
}

/** How many versions it has. */
export async function versionsOf(home: Home, name: string): Promise<number> {
  return (await choir(home, ["history", name])).trim().split("\n").length;
}

/** How far any number is from the line it stands beside, in pixels. */
export function gapToNumbers({ window }: Editing): Promise<number> {
  return window.locator(".cm-editor").evaluate((editor) => {
    const tops = (which: string) => [...editor.querySelectorAll(which)].map((one) => one.getBoundingClientRect().top);
    const lines = tops(".cm-line");
    const numbers = tops(".cm-lineNumbers .cm-gutterElement:not([style*=hidden])");
    return Math.max(...numbers.map((number) => Math.min(...lines.map((line) => Math.abs(line - number)))));
  });
}
