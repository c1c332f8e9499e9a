import { join } from "node:path";
import { type Computer, openComputer } from "@choiros/computer";
import type { WindowValue } from "@choiros/contract";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { launch, serve, signIn } from "../tests/console/served.ts";

export interface Desk {
  readonly page: Page;
  readonly desk: FrameLocator;
  /** Another page of the same browser, with nothing in it. */
  readonly empty: Page;
}

/** Lets things happen to ada's computer before anybody looks. */
export async function live(home: string, what: (computer: Computer) => Promise<void>): Promise<void> {
  const opened = await openComputer({ root: join(home, "users", "ada"), userId: "ada", create: true });
  if (!opened.ok) throw new Error(opened.message);
  await what(opened.computer);
  await opened.computer.close();
}

/** So many windows of an app, one over the other, the last in front. */
export async function openWindows(
  computer: Computer,
  count: number,
  value: Pick<WindowValue, "app" | "args" | "title">,
): Promise<void> {
  const one = (i: number): WindowValue => ({
    ...value,
    box: { x: 20 + i * 24, y: 20 + i * 12, w: 720, h: 480 },
    state: "normal",
    z: i + 1,
  });
  const windows = new Map(Array.from({ length: count }, (_, i) => [`window.w${i}`, one(i)]));
  const outcome = await computer.changeWindows("open", windows);
  if (!outcome.ok) throw new Error(outcome.message);
}

/** Does the work at a desk in a browser, and closes both whatever comes. */
export async function atDesk<T>(home: string, work: (desk: Desk) => Promise<T>): Promise<T> {
  const server = await serve(home);
  const browser = await launch();
  try {
    const page = await newPage(browser);
    await signIn(page, server);
    const desk = page.frameLocator("iframe");
    await desk.locator("main[aria-busy=false]").waitFor();
    return await work({ page, desk, empty: await newPage(browser) });
  } finally {
    await browser.close();
    await server.stop();
  }
}

export async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(120_000);
  return page;
}

/** How long each frame took, in milliseconds, where this element is, while the work goes on. */
export async function framesDuring(page: Page, at: Locator, work: () => Promise<void>): Promise<number[]> {
  await page.bringToFront();
  const recording = await at.evaluateHandle(() => {
    const took: number[] = [];
    let [last, isOn] = [0, true];
    const frame = (now: number) => {
      if (last > 0) took.push(now - last);
      last = now;
      if (isOn) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return () => {
      isOn = false;
      return took;
    };
  });
  await work();
  return recording.evaluate((end) => end());
}
