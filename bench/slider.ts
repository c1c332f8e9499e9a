import { hash } from "node:crypto";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { longHistory } from "../tests/console/long-history.ts";
import { launch, openTimeMachine, serve, signIn } from "../tests/console/served.ts";
import { inTurns, type Measure, median, p95 } from "./measure.ts";

/** Longer than the console waits until it takes the slider to be at rest, and asks for more than the tree. */
const REST_MS = 300;
const NEAR = 100;

/**
 * The time machine in a browser: from the slider's input to the frame in which the tree of that moment is painted, over a
 * thousand files. To moments anywhere and to neighbours, while the slider moves and after it rested. The peer is what a
 * frame takes in which nothing is to be done.
 */
export const slider: Measure = {
  id: "Slider",
  title: "slider → the tree is painted, 100,000 events, p95",
  unit: "ms",
  peer: "a frame in which nothing changes",
  better: "lower",
  judged: "ours",
  floor: 50,
  aim: 33,
  rounds: 5,

  async prepare({ ground, quick, say }) {
    say(`writing ${eventsOf(quick)} events`);
    await longHistory({ path: join(ground, "home"), user: "ada" }, eventsOf(quick));
  },

  async run(round, { ground, quick }) {
    const server = await serve(join(ground, "home"));
    const browser = await launch();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      page.setDefaultTimeout(120_000);
      await signIn(page, server);
      const { slider } = await openTimeMachine(page);
      const near: number[] = [];
      const ours = async (turn: number) => {
        const took: number[] = [];
        for (const [i, to] of moments(round, turn, eventsOf(quick)).entries()) {
          if (turn % 2 === 1) await page.waitForTimeout(REST_MS);
          took.push(await move(slider, to));
          if (i % 2 === 1) near.push(...took.slice(-1));
        }
        return took;
      };
      const took = await inTurns(round, quick ? 4 : 10, ours, () => frames(page));
      const also = {
        median: { ours: median(took.ours), peer: median(took.peer) },
        "to a neighbour": { ours: median(near), peer: median(took.peer) },
      };
      return { ours: p95(took.ours), peer: p95(took.peer), also };
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};

function eventsOf(quick: boolean): number {
  return quick ? 10_000 : 100_000;
}

/** Pairs: anywhere, and then not far from there. */
function moments(round: number, turn: number, events: number): number[] {
  return Array.from({ length: 5 }, (_, i) => {
    const chance = hash("sha256", `${round} ${turn} ${i}`, "buffer");
    const anywhere = 1 + NEAR + (chance.readUInt32LE() % (events - 2 * NEAR));
    const step = 1 + (chance.readUInt8(4) % (NEAR - 1));
    return [anywhere, anywhere + (chance.readUInt8(5) % 2 === 0 ? step : -step)];
  }).flat();
}

/** Milliseconds until the tree of that moment is on the screen, as the page has them. */
function move(slider: Locator, to: number): Promise<number> {
  return slider.evaluate(async (input: HTMLInputElement, moment) => {
    const tree = document.querySelector(".tree");
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    const { promise, resolve } = Promise.withResolvers<void>();
    const seen = new MutationObserver(() => {
      if (tree?.getAttribute("data-at") !== String(moment)) return;
      seen.disconnect();
      resolve();
    });
    if (tree === null) throw new Error("there is no tree");
    seen.observe(tree, { attributeFilter: ["data-at"] });
    const start = performance.now();
    set?.call(input, String(moment));
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await promise;
    await new Promise(requestAnimationFrame);
    const { port1, port2 } = new MessageChannel(); // its task comes after the frame
    const painted = new Promise((done) => port1.addEventListener("message", done, { once: true }));
    port1.start();
    port2.postMessage(0);
    await painted;
    return performance.now() - start;
  }, to);
}

function frames(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const took: number[] = [];
    for (let i = 0; i < 10; i++) {
      const start = performance.now();
      await new Promise(requestAnimationFrame);
      took.push(performance.now() - start);
    }
    return took;
  });
}
