import type { BrowserContextOptions, Page } from "playwright-core";
import { frameOf } from "./desk.ts";
import type { Seat } from "./seat.ts";

interface Slow {
  /** What is held begins to be once it is known by which words. */
  held?: { readonly words: string; readonly sends: (() => void)[] };
}

/** Where what a desk asks its server can be held on the way, as on a slow line. */
export function slow(seat: Seat): Seat {
  const newContext = async (look: BrowserContextOptions) => {
    const context = await seat.browser.newContext(look);
    await context.addInitScript(() => {
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (data) {
        const { held } = globalThis as Slow;
        if (held === undefined || !String(data).includes(held.words)) return send.call(this, data);
        held.sends.push(() => send.call(this, data));
      };
    });
    return context;
  };
  return { ...seat, browser: { newContext } as unknown as Seat["browser"] }; // nothing else is asked of it
}

/** From now on the desk's messages with these words stay on the way, until the function is called that this gives. One hold at a time. */
export async function hold(page: Page, words: string): Promise<() => Promise<void>> {
  const desk = frameOf(page);
  await desk.evaluate((words) => {
    const slow = globalThis as Slow;
    if (slow.held !== undefined) throw new Error(`what has ${slow.held.words} is still held`);
    slow.held = { words, sends: [] };
  }, words);
  return () =>
    desk.evaluate(() => {
      const slow = globalThis as Slow;
      for (const send of slow.held?.sends ?? []) send();
      delete slow.held;
    });
}
