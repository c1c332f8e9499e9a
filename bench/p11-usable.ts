import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launch, serve, signIn } from "../tests/console/served.ts";
import { newPage } from "./desk.ts";
import { inTurns, type Measure, median } from "./measure.ts";

const BARE = `require("node:http").createServer((_, answer) => answer.end("<!doctype html><p>here")).listen(0, "127.0.0.1",
  function () { console.log(this.address().port); })`;

/** A new computer each time, as at the first start, and somebody who clicks at once. */
export const usable: Measure = {
  id: "P11S",
  title: "from `npm start` to a desktop that can be used",
  unit: "ms",
  peer: "a bare server of node's, and a page with one word",
  better: "lower",
  judged: "ours",
  floor: 3000,
  aim: 1000,
  rounds: 5,
  async run(round, { folder, quick }) {
    const browser = await launch();
    const onPage = async (start: (page: Page) => Promise<number>) => {
      const page = await newPage(browser);
      const took = await start(page);
      await page.close();
      return [took];
    };
    try {
      const ours = (turn: number) => onPage((page) => startDesk(page, join(folder, `home-${turn}`)));
      const took = await inTurns(round, quick ? 1 : 3, ours, () => onPage(startBare));
      return { ours: median(took.ours), peer: median(took.peer) };
    } finally {
      await browser.close();
    }
  },
};

async function startDesk(page: Page, home: string): Promise<number> {
  const start = performance.now();
  const server = await serve(home, { command: ["npm", "start", "--silent", "--"] });
  try {
    await signIn(page, server);
    await page.frameLocator("iframe").locator("main[aria-busy=false]").waitFor();
    return performance.now() - start;
  } finally {
    await server.stop();
  }
}

async function startBare(page: Page): Promise<number> {
  const start = performance.now();
  const server = spawn(process.execPath, ["-e", BARE], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = await once(server.stdout, "data");
    await page.goto(`http://127.0.0.1:${Number(port)}/`);
    await page.getByText("here").waitFor();
    return performance.now() - start;
  } finally {
    server.kill();
  }
}
