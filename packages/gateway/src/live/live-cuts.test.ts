import fc from "fast-check";
import { expect, test } from "vitest";
import { consoleOf } from "../testing/live-client.ts";
import { grow } from "../testing/live-gateway.ts";
import { liveGateway } from "../testing/temp-live.ts";

/** How a connection ends: properly, at once, or with something still on its way. */
const Cut = fc.record({
  appends: fc.integer({ min: 0, max: 40 }),
  /** So many events are heard before it is cut. */
  hears: fc.integer({ min: 0, max: 40 }),
  how: fc.constantFrom("close", "terminate", "pause"),
});

test("LIVE-2: whoever comes back misses nothing and sees nothing twice, wherever they were cut off", {
  timeout: 120_000,
}, async () => {
  const gateway = await liveGateway({ messagesPerSecond: 10_000, roomBytes: 4096 });
  const computer = await gateway.computer("ada");
  const { log } = computer;
  const ada = await gateway.signIn("ada");
  await fc.assert(
    fc.asyncProperty(fc.array(Cut, { minLength: 1, maxLength: 8 }), async (cuts) => {
      const { seq: base } = await log.head();
      const seen: number[] = [];
      const appends: Promise<unknown>[] = [];
      for (const { appends: count, hears, how } of cuts) {
        const client = await consoleOf(gateway, ada, "ada", base + seen.length + 1);
        for (let i = 0; i < count; i++) appends.push(grow(computer, i * 50));
        const expected = Math.min(base + seen.length + hears, base + appends.length);
        if (expected > base + seen.length) await client.untilSeq(expected);
        if (how === "pause") client.socket.pause();
        if (how === "close") client.socket.close();
        else client.socket.terminate();
        await client.closed;
        seen.push(...client.seqs);
      }
      await Promise.all(appends);
      const { seq: head } = await log.head();
      const last = await consoleOf(gateway, ada, "ada", base + seen.length + 1);
      if (head > base + seen.length) await last.untilSeq(head);
      last.socket.terminate();
      expect([...seen, ...last.seqs]).toEqual(Array.from({ length: head - base }, (_, i) => base + i + 1));
    }),
    { numRuns: 20 },
  );
  expect(gateway.reports).toEqual([]);
});
