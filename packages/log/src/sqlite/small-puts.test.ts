import { expect, test, vi } from "vitest";
import { bytesOf } from "../testing/bytes.ts";
import { keepDiskThread } from "../testing/disk-thread.ts";
import { range } from "../testing/drafts.ts";
import { sqliteEngine } from "../testing/sqlite-place.ts";
import { stage } from "../testing/stage.ts";
import { Thread } from "../thread.ts";
import { SmallPuts } from "./small-puts.ts";

keepDiskThread();
const { writer } = stage(sqliteEngine);

test("SQL-20: ten thousand small contents that come together take some ten calls to put, and as few to check and to get", async () => {
  const { contents } = await writer();
  const calls = vi.spyOn(Thread.prototype, "call");
  const refs = await Promise.all(range(1, 10_000).map((i) => contents.put(Buffer.from(`content ${i}`))));
  expect(calls.mock.calls.length).toBeLessThan(15);
  calls.mockClear();
  const hashes = refs.map(({ hash }) => hash);
  expect(await contents.checkMany(hashes)).toEqual(hashes.map(() => "present"));
  expect((await contents.getSmall(hashes)).size).toBe(10_000);
  expect(calls.mock.calls.length).toBe(2);
  calls.mockRestore();
});

test("SQL-20: no call carries more than some megabytes", async () => {
  const sizes: number[] = [];
  const puts = new SmallPuts(async (page) => sizes.push(page.reduce((sum, { size }) => sum + size, 0)));
  const bytes = bytesOf(65_536);
  const put = { kind: "put", hash: "", size: bytes.length, bytes } as const;
  await Promise.all(range(1, 500).map(() => puts.put(put)));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(500 * 65_536);
});

test("SQL-20: where a call fails, all that went with it fail, and those after it go on", async () => {
  let calls = 0;
  const puts = new SmallPuts(async () => {
    if (calls++ === 0) throw new Error("the disk is full");
  });
  const put = { kind: "put", hash: "", size: 0, bytes: new Uint8Array(0) } as const;
  const first = [puts.put(put), puts.put(put)];
  for (const one of first) await expect(one).rejects.toThrow("the disk is full");
  await puts.put(put);
  expect(calls).toBe(2);
});
