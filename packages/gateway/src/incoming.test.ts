import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { incoming } from "./incoming.ts";
import { OperationError } from "./operations/index.ts";

const LIMITS = { idleMs: 60_000, slowMs: 60_000, bytesPerSecond: 1024, uploadBytes: 10 };

test("WEB-7: what comes is passed on as it comes", async () => {
  const pieces = await Array.fromAsync(incoming(Readable.from([Buffer.from("a"), Buffer.from("b")]), LIMITS));
  expect(Buffer.concat(pieces).toString()).toBe("ab");
});

test("WEB-7: what only trickles is given up", async () => {
  const source = new PassThrough();
  source.write("a");
  const slow = incoming(source, { ...LIMITS, slowMs: 0, bytesPerSecond: 1e12 });
  await expect(slow.next()).rejects.toThrow(OperationError);
});

test("WEB-7: what pauses for too long is given up, and however it breaks off, it says that nothing was done", async () => {
  const paused = incoming(new PassThrough(), { ...LIMITS, idleMs: 1 });
  await expect(paused.next()).rejects.toThrow("nothing was done");
  const source = new PassThrough();
  const broken = incoming(source, LIMITS);
  source.destroy(new Error("ECONNRESET"));
  await expect(broken.next()).rejects.toThrow("it broke off half way: nothing was done");
});

test("WEB-7: what is too large is given up as soon as that is known, with what to do", async () => {
  const sentence = /^an upload has at most 0 MB here: nothing was done. .* server\.upload_mb, .*'choir add'/;
  const pieces = incoming(Readable.from([Buffer.alloc(10), Buffer.alloc(1)]), LIMITS);
  expect((await pieces.next()).value).toHaveLength(10);
  await expect(pieces.next()).rejects.toThrow(sentence);
  const told = Object.assign(new PassThrough(), { headers: { "content-length": "11" } });
  await expect(incoming(told, LIMITS).next()).rejects.toThrow(sentence);
});
