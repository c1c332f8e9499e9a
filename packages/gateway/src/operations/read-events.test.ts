import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Computer, openComputer, type Progress } from "@choiros/computer";
import type { Envelope } from "@choiros/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EventQuery } from "./queries.ts";
import { readEvents } from "./read-events.ts";

const root = mkdtempSync(join(tmpdir(), "choir-events-"));
let computer: Computer;
let all: readonly Envelope[];

beforeAll(async () => {
  const opened = await openComputer({ root, userId: "ada", create: true });
  if (!opened.ok) throw new Error(opened.message);
  computer = opened.computer;
  for (let i = 0; i < 40; i++) {
    const cause = { ask: `a${i % 3}`, call: `c${i}` };
    const source = i % 5 === 0 ? "agent" : "user";
    if (i % 4 === 0) await computer.say(`Message ${i} to Ana`, { id: `a${i}`, source });
    else if (i % 4 === 1) await computer.write(`workspace/d/${i % 3}`, Buffer.from(`${i}`), { cause, source });
    else if (i % 4 === 2) await computer.write("workspace/x", Buffer.from(`${i}`), { cause, source });
    else await computer.changeSettings(new Map([["a", i]]), { cause, source });
  }
  all = await Array.fromAsync(computer.log.read());
});
afterAll(async () => {
  await computer.close();
  rmSync(root, { recursive: true, force: true });
});

const told: Progress[] = [];

async function seqsOf(query: object, signal = new AbortController().signal): Promise<number[]> {
  const { contents, log } = computer;
  const work = { progress: (progress: Progress) => void told.push(progress), signal };
  const moments = readEvents({ contents, log, computer: async () => computer }, EventQuery.parse(query), work);
  return (await Array.fromAsync(moments)).map(({ event }) => event.seq);
}

function touches({ payload }: Envelope, key: string, words: readonly string[] = []): boolean {
  const changes = "changes" in payload && Array.isArray(payload.changes) ? payload.changes : [];
  const isUnder = (path: string) => path === key || path.startsWith(`${key}/`);
  return changes.some(({ path = "" }) => isUnder(path) && words.every((word) => path.includes(word)));
}

/** In its words, or in a path that it changed. */
function says(event: Envelope, words: readonly string[]): boolean {
  const text = String(event.payload.text ?? "").toLowerCase();
  return words.every((word) => text.includes(word)) || touches(event, "workspace", words);
}

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const queries = fc.record({
  cause: some({ ask: "a1" }, { call: "c5" }, { ask: "a2", call: "c5" }),
  from: fc.constantFrom(1, 7, -12, 90),
  key: some("workspace", "workspace/d", "workspace/x", "workspace/none"),
  limit: some(1, 3, 100),
  named: some("d/", "2"),
  newest: fc.boolean(),
  source: some(["agent"], ["user", "system"]),
  text: some("ana", "MESSAGE 4", "nothing", " ", "WORKSPACE 1", "x"),
  to: some(30, 1000),
  type: some(["file.write"], ["message", "settings.change"]),
});

test("WEB-36: events come by all that is asked of them together, from either end, and so many at most", async () => {
  await fc.assert(
    fc.asyncProperty(queries, async ({ cause, from, key, limit, named, newest, source, text, to, type }) => {
      const query = { cause, from, key, limit, named, newest, source, text, to, type };
      const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
      const first = from < 0 ? all.length + 1 + from : from;
      const words = (text ?? "").toLowerCase().trim().split(" ").filter(Boolean);
      const isPlaced = key !== undefined || named !== undefined;
      const fits = all.filter(
        (event) =>
          event.seq >= first &&
          event.seq <= (to ?? Number.POSITIVE_INFINITY) &&
          (isPlaced ? touches(event, key ?? "workspace", [named ?? "", ...words]) : says(event, words)) &&
          (source === undefined || source.includes(event.source)) &&
          (type === undefined || type.includes(event.type)) &&
          Object.entries(cause ?? {}).every(([kind, id]) => event.cause?.[kind] === id),
      );
      const seqs = fits.map(({ seq }) => seq);
      expect(await seqsOf(given)).toEqual((newest ? seqs.reverse() : seqs).slice(0, limit));
    }),
    { numRuns: 200 },
  );
});

test("WEB-36: events come by the times at which they were appended", async () => {
  const middle = all[20];
  const since = await seqsOf({ since: middle?.ts });
  expect(since).toEqual(all.filter(({ ts }) => ts >= (middle?.ts ?? "")).map(({ seq }) => seq));
  const until = await seqsOf({ until: middle?.ts });
  expect(until).toEqual(all.filter(({ ts }) => ts <= (middle?.ts ?? "")).map(({ seq }) => seq));
});

test("WEB-36: how far it is is told, and who stops it gets no more", async () => {
  told.length = 0;
  await seqsOf({ newest: true, text: "nothing" });
  expect(told.at(-1)).toEqual({ done: all.length, total: all.length, what: "events" });
  expect(await seqsOf({ newest: true }, AbortSignal.abort())).toEqual([]);
});

test("WEB-36: what is followed can be narrowed down by type, source and cause alone", () => {
  expect(EventQuery.safeParse({ follow: true, source: ["agent"] }).success).toBe(true);
  for (const more of [
    { newest: true },
    { key: "workspace" },
    { named: "x" },
    { text: "x" },
    { limit: 1 },
    { since: all[0]?.ts },
  ])
    expect(EventQuery.safeParse({ follow: true, ...more }).success).toBe(false);
});
