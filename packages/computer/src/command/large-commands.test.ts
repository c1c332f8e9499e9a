import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commandStage, type GroundName } from "../testing/command-stage.ts";
import { done } from "../testing/computer-stage.ts";

/** `npm run torture` asks for 100,000 and 1,024. */
const { CHOIR_FILES = "3000", CHOIR_MEGABYTES = "100" } = process.env;
const FILES = Number(CHOIR_FILES);
const MB = 1024 * 1024;
const BYTES = Number(CHOIR_MEGABYTES) * MB;
/** Beyond what it was before: far less than what torture's file has. */
const MOST_MEMORY = 400 * MB;
const TIMEOUT = 60_000 + FILES * 20 + Number(CHOIR_MEGABYTES) * 500;

/** Does the work, and says how far this process' memory rose. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return most - before;
}

describe.each(["overlay", "live"] satisfies GroundName[])("commands that leave much, on the %s folder", (ground) => {
  const stage = commandStage(ground);

  test(`R8 (CMD-18): ${FILES} new files, as of packages that aren't ignored, are one event, and can be taken back and brought back`, {
    timeout: TIMEOUT,
  }, async () => {
    const desk = await stage();
    await desk.write("package.json", "{}");
    const before = desk.disk();
    const told = new Set<string>();
    const onProgress = ({ what }: { what: string }) => told.add(what);
    const line = `for p in $(seq ${FILES / 100}); do mkdir -p vendor/p$p/lib; for f in $(seq 100); do echo "$p $f" > vendor/p$p/lib/$f.js; done; done; rm package.json`;
    const ran = await desk.sh(line, { onProgress });
    expect(ran).toMatchObject({ exit: 0, blocked: [], changed: FILES + (FILES / 100) * 2 + 2 });
    expect((await desk.events()).filter(({ type }) => type === "files.changed")).toHaveLength(1);
    if (ground === "overlay") {
      expect([...told]).toEqual(expect.arrayContaining(["reading what the command did", "writing to the folder"]));
    }
    const after = desk.disk();
    const undone = done(await desk.computer.undo({ call: ran.call }));
    expect(desk.disk()).toEqual(before);
    done(await desk.computer.undo({ seq: undone.seq }));
    expect(desk.disk()).toEqual(after);
    await desk.sh("rm -rf ./* ./.[!.]*");
    expect(desk.disk()).toEqual({});
    expect(await desk.tree()).toEqual({});
  });

  test(`R8 (CMD-18): a file of ${CHOIR_MEGABYTES} MB goes through bounded memory, and comes back whole`, {
    timeout: TIMEOUT,
  }, async () => {
    const desk = await stage();
    const make = `head -c ${BYTES} /dev/urandom > large; sha256sum large`;
    let call = "";
    let sum = "";
    const risen = await memoryOf(async () => {
      const ran = await desk.sh(make);
      [call, sum] = [ran.call, ran.said];
      expect(ran).toMatchObject({ exit: 0, changed: 1 });
      const removed = await desk.sh("rm large");
      done(await desk.computer.undo({ call: removed.call }));
    });
    expect(risen).toBeLessThan(MOST_MEMORY);
    expect((await desk.sh("sha256sum large")).said).toBe(sum);
    done(await desk.computer.undo({ call }));
    expect(desk.disk()).toEqual({});
    rmSync(desk.at("large"), { force: true });
  });
});
