import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { longHistory } from "../tests/console/long-history.ts";
import { atDesk, type Desk, framesDuring, live, openWindows } from "./desk.ts";
import { inTurns, type Measure, type Place, p99 } from "./measure.ts";

/** At 60 a second one takes 16.7 ms; a longer one has left one out. */
const IN_TIME_MS = 20;
const STEPS = 60;
const FRONT_TITLE = ".window[data-front=true] .window-title";
/** What a browser has to paint in any case where words go by. */
const LINES = Array.from(
  { length: 5000 },
  (_, i) => `<p>notes/chapter-${i}.md was written at ${i % 24} o'clock</p>`,
).join("");

/** The share of frames in time can be held against a peer's also where none of them was late. */
const FRAMES = { unit: "%", better: "higher", floor: 0.7, aim: 0.95, rounds: 5 } as const;

/** A window is dragged over 19 others. */
export const dragWindow: Measure = {
  ...FRAMES,
  id: "Drag",
  title: "frames in time while one of 20 windows is dragged",
  peer: "an empty page over which the mouse does the same",
  prepare: ({ ground }) =>
    live(join(ground, "home"), (computer) => openWindows(computer, 20, { app: "files", args: {}, title: "Files" })),
  run: (round, place) => framesOf(round, place, { on: FRONT_TITLE, peer: "", gesture: dragAbout }),
};

export const scrollTimeline: Measure = {
  ...FRAMES,
  floor: 0.9,
  id: "ScrollT",
  title: "frames in time while Timeline scrolls over 1,000,000 events",
  peer: "a page of plain lines, scrolled likewise",
  async prepare({ ground, quick, say }) {
    const home = join(ground, "home");
    say("writing events");
    await longHistory({ path: home, user: "ada" }, quick ? 10_000 : 1_000_000);
    await live(home, (computer) => openWindows(computer, 1, { app: "timeline", args: {}, title: "Timeline" }));
  },
  run: (round, place) => framesOf(round, place, { on: "[role=tree]", peer: LINES, gesture: wheel }),
};

const FILES = 10_000;

export const scrollFiles: Measure = {
  ...FRAMES,
  id: "ScrollF",
  title: "frames in time while Files scrolls over 10,000 files",
  peer: "a page of plain lines, scrolled likewise",
  prepare: ({ ground }) =>
    live(join(ground, "home"), async (computer) => {
      for (let first = 0; first < FILES; first += 1000) {
        const deeds = Array.from({ length: 1000 }, (_, i) => ({ file: { key: `workspace/file-${first + i}.txt` } }));
        const outcome = await computer.arrange(deeds);
        if (!outcome.ok) throw new Error(outcome.message);
      }
      await openWindows(computer, 1, { app: "files", args: { key: "workspace" }, title: "Files" });
    }),
  run: (round, place) => framesOf(round, place, { on: ".files-room", peer: LINES, gesture: wheel }),
};

interface Scene {
  /** Where the mouse is at work. */
  readonly on: string;
  /** What the other page has in it. */
  readonly peer: string;
  gesture(page: Page, on: Locator): Promise<void>;
}

async function framesOf(round: number, { ground, quick }: Place, { gesture, on: selector, peer }: Scene) {
  return atDesk(join(ground, "home"), async ({ desk, empty, page }: Desk) => {
    const on = desk.locator(selector);
    await on.waitFor();
    await empty.setContent(peer);
    const body = empty.locator("body");
    const took = await inTurns(
      round,
      quick ? 2 : 4,
      () => framesDuring(page, on, () => gesture(page, on)),
      () => framesDuring(empty, body, () => gesture(empty, body)),
    );
    return {
      ours: inTime(took.ours),
      peer: inTime(took.peer),
      p99: { ours: p99(took.ours), peer: p99(took.peer) },
    };
  });
}

async function dragAbout(page: Page, title: Locator): Promise<void> {
  const { x, y } = await placeOf(title);
  await page.mouse.move(x + 60, y + 16);
  await page.mouse.down();
  const to = (step: number) => [200 + 8 * step, 60 + 6 * Math.abs(30 - step)] as const;
  for (let step = 0; step < STEPS; step++) await page.mouse.move(...to(step));
  await page.mouse.up();
}

async function wheel(page: Page, on: Locator): Promise<void> {
  const { x, y } = await placeOf(on);
  await page.mouse.move(x + 100, y + 60);
  for (let step = 0; step < STEPS; step++) await page.mouse.wheel(0, 100);
}

async function placeOf(element: Locator): Promise<{ readonly x: number; readonly y: number }> {
  return (await element.boundingBox()) ?? { x: 0, y: 0 };
}

function inTime(frames: readonly number[]): number {
  return (100 * frames.filter((took) => took <= IN_TIME_MS).length) / frames.length;
}
