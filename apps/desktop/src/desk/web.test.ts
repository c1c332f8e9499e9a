import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Web } from "./web.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const DONE = { ok: true, call: "c", changed: 1, notes: [], seq: 1 };
const wait = () => new Response("", { status: 429, headers: { "retry-after": "7" } });

/** Answers these, one after the other; when each was asked for, in seconds. */
function answering(...answers: readonly Response[]): number[] {
  const asked: number[] = [];
  const start = Date.now();
  const left = answers.values();
  vi.stubGlobal("fetch", async () => {
    asked.push((Date.now() - start) / 1000);
    return left.next().value;
  });
  return asked;
}

test("DESK-26: what comes too fast is sent again when the server says so, and not before", async () => {
  const asked = answering(wait(), wait(), Response.json(DONE));
  const writing = new Web(() => {}).write("workspace/a", "bytes");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await writing).toMatchObject({ ok: true });
  expect(asked).toEqual([0, 7, 14]);
});

test("DESK-26: what is read too fast comes when the server says so", async () => {
  const asked = answering(wait(), new Response("bytes"));
  const reading = new Web(() => {}).read("workspace/a");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await (await reading)?.text()).toBe("bytes");
  expect(asked).toEqual([0, 7]);
});

test("DESK-26: whoever waits can be stopped", async () => {
  const asked = answering(wait());
  const stopped = new AbortController();
  const writing = new Web(() => {}).write("workspace/a", "bytes", { signal: stopped.signal });
  const refused = expect(writing).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(1000);
  stopped.abort(new Error("enough"));
  await refused;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toEqual([0]);
});

test("DESK-26: what the server refuses is said in its words, with its status", async () => {
  answering(Response.json({ title: "The disk is full", detail: "Make room." }, { status: 507, headers: PROBLEM }));
  const writing = new Web(() => {}).write("workspace/a", "bytes");
  await expect(writing).rejects.toMatchObject({ title: "The disk is full", message: "Make room.", status: 507 });
});

const PROBLEM = { "content-type": "application/problem+json" };

test("DESK-24: what is written over a connection that is dead is written over another, with the same id; until then it is unheard", async () => {
  const ids: (string | null)[] = [];
  vi.stubGlobal("fetch", (_path: string, { headers, signal }: RequestInit) => {
    ids.push(new Headers(headers).get("idempotency-key"));
    if (ids.length === 3) return Promise.resolve(Response.json(DONE));
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  const web = new Web(() => {});
  const writing = web.write("workspace/a", "bytes");
  await vi.advanceTimersByTimeAsync(2000);
  expect(web.unheard.late.get()).toBe(true);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await writing).toMatchObject({ ok: true });
  expect(ids).toEqual([ids[0], ids[0], ids[0]]);
  expect(web.unheard.late.get()).toBe(false);
});

test("DESK-24: whoever waits for an answer over a connection that is found dead hears that it is", async () => {
  vi.stubGlobal(
    "fetch",
    (_path: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  );
  const web = new Web(() => {});
  const asked = Promise.allSettled([web.write("workspace/a", "bytes"), web.read("workspace/a")]);
  web.giveUp();
  const dead = { status: "rejected", reason: expect.any(TypeError) };
  expect(await asked).toEqual([dead, dead]);
});
