import type { ContentRef, Draft } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import type { Contents } from "./contents.ts";
import { bytesOf, sha256 } from "./testing/bytes.ts";
import { range } from "./testing/drafts.ts";
import type { Engine } from "./testing/engine.ts";
import { stage } from "./testing/stage.ts";
import { verifyContents } from "./verify-contents.ts";

const NEVER_PUT = "f".repeat(64);

export function manySuite(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  /** One of each kind that there is. */
  async function kinds() {
    const home = await place();
    const { contents } = await writer(home);
    const [small, empty, large] = [bytesOf(1000), bytesOf(0), bytesOf(200_000)];
    const [dropped, damaged, lost, badLarge] = [bytesOf(500, 2), bytesOf(500, 3), bytesOf(500, 4), bytesOf(200_000, 5)];
    for (const bytes of [small, empty, large, dropped, damaged, lost, badLarge]) await contents.put(bytes);
    await contents.drop(sha256(dropped));
    for (const bytes of [damaged, badLarge]) home.tamper.damageContent(sha256(bytes));
    home.tamper.loseContent(sha256(lost));
    const hashes = [...[small, empty, large, dropped, damaged, lost, badLarge].map(sha256), NEVER_PUT];
    return { home, contents, hashes, small, empty };
  }

  describe("many contents", () => {
    test("CON-20: what is asked of many at once is what is asked of each, also for a reader", async () => {
      const { home, contents, hashes } = await kinds();
      for (const asked of [contents, (await reader(home)).contents]) {
        expect(await asked.checkMany(hashes)).toEqual(await Promise.all(hashes.map((hash) => asked.check(hash))));
        expect(await asked.hasMany(hashes)).toEqual(await Promise.all(hashes.map((hash) => asked.has(hash))));
        expect(await asked.checkMany([])).toEqual([]);
      }
    });

    test("CON-20: the bytes of many come at once where they are small and whole, and no others", async () => {
      const { contents, hashes, small, empty } = await kinds();
      const found = await contents.getSmall(hashes);
      expect([...found.keys()]).toEqual([sha256(small), sha256(empty)]);
      expect(found.get(sha256(small))).toEqual(small);
      expect(found.get(sha256(empty))).toHaveLength(0);
    });

    test("CON-20: what is no hash is refused, whoever asks for how many", async () => {
      const { contents } = await writer();
      await expect(contents.getSmall(["../../x"])).rejects.toThrow();
      await expect(contents.checkMany(["../../x"])).rejects.toThrow();
      await expect(contents.hasMany(["../../x"])).rejects.toThrow();
    });
  });

  /** An event that names so many contents. */
  async function named(contents: Contents, count: number): Promise<Draft> {
    const refs = await Promise.all(range(1, count).map((i) => contents.put(Buffer.from(`content ${i}`))));
    const lines = refs.map((ref, i) => JSON.stringify({ after: entry(ref), before: null, path: `workspace/${i}` }));
    const list = await contents.put(Buffer.from(`[\n${lines.join(",\n")}\n]`));
    return { source: "agent", type: "files.changed", payload: { by: "command", count, list } };
  }

  const entry = (ref: ContentRef) => ({ ...ref, kind: "file", mode: 0o644 });

  describe("watching a check of the contents", () => {
    test("CON-21: within one event, it tells how far it is, and stops where it is told to", async () => {
      const { log, contents } = await writer();
      await log.append(await named(contents, 3000));
      const told: number[] = [];
      await verifyContents(log, contents, { onProgress: (done) => told.push(done) });
      expect(told.length).toBeGreaterThan(4);
      expect(told.at(-1)).toBe(3001);
      const stop = new AbortController();
      const stopped = verifyContents(log, contents, {
        signal: stop.signal,
        onProgress: (done) => done > 1000 && stop.abort(new Error(`enough after ${done}`)),
      });
      await expect(stopped).rejects.toThrow(/enough after 1\d\d\d$/);
    });
  });
}
