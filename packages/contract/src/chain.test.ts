import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { canonicalise } from "./canonical.ts";
import { body, bodyAround, FIRST_PREVIOUS, link } from "./chain.ts";
import { ENVELOPE_VERSION, Envelope, recognise } from "./envelope.ts";
import { Sha256, UserId } from "./ids.ts";
import { JsonObject } from "./json.ts";

/** An event's members stay as they are in the file: the vectors test `body`, not a schema. */
const Vectors = z.strictObject({
  title: z.string(),
  algorithm: z.array(z.string()),
  check: z.string(),
  made: z.string(),
  first_previous: Sha256,
  events: z.array(
    z.strictObject({ user_id: UserId, event: JsonObject, previous: Sha256, body: z.string(), hash: Sha256 }),
  ),
});

const file = new URL("../vectors/chain.json", import.meta.url);
const vectors = Vectors.parse(JSON.parse(readFileSync(file, "utf8")));
const events = vectors.events.map((vector) => {
  const { event, user_id, hash } = vector;
  return { ...vector, envelope: Envelope.parse({ ...event, user_id, hash }) };
});
const cases = events.map((vector): [string, (typeof events)[number]] => [
  `${vector.envelope.seq} (${vector.envelope.type})`,
  vector,
]);

const hashOf = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const chained = (event: Envelope, previous = FIRST_PREVIOUS) => hashOf(link(previous, body(event)));
const first = Envelope.parse({
  v: 1,
  id: "a",
  seq: 1,
  ts: "2026-03-01T08:00:00.000Z",
  user_id: "ada",
  source: "user",
  type: "message",
  cause: { ask: "a-1", task: "t-1" },
  payload: { text: "hello" },
  hash: FIRST_PREVIOUS,
});

describe("the vectors", () => {
  test.each(cases)("event %s has the body and the hash that another implementation gave it", (_, vector) => {
    expect(body(vector.envelope)).toBe(vector.body);
    expect(hashOf(link(vector.previous, body(vector.envelope)))).toBe(vector.hash);
  });

  test.each(cases)("event %s hashes the same by the words of the file alone", (_, { event, body, previous, hash }) => {
    expect(canonicalise(event)).toBe(body);
    expect(hashOf(`${previous}\n${body}`)).toBe(hash);
    expect(canonicalise(JSON.parse(body))).toBe(body);
  });

  test("each event names the hash of the one before, and the first the zeros", () => {
    expect(vectors.first_previous).toBe(FIRST_PREVIOUS);
    expect(FIRST_PREVIOUS).toBe("0".repeat(64));
    const before = [vectors.first_previous, ...events.map((vector) => vector.hash)].slice(0, -1);
    expect(events.map((vector) => vector.previous)).toEqual(before);
    expect(events.map((vector) => vector.envelope.seq)).toEqual(events.map((_, index) => index + 1));
  });

  test("they cover what could go wrong", () => {
    const text = JSON.stringify(events.map((vector) => vector.event));
    expect(new Set(events.map((vector) => vector.envelope.type)).size).toBeGreaterThanOrEqual(6);
    expect(events.some((vector) => vector.envelope.cause === undefined)).toBe(true);
    expect(events.some((vector) => vector.envelope.cause !== undefined)).toBe(true);
    expect(new Set(events.map((vector) => vector.user_id)).size).toBeGreaterThan(1);
    for (const piece of [
      '"b64"',
      '"10"',
      '"2"',
      '"__proto__"',
      "\ud83d\ude02",
      "\ufb33",
      "\u20ac",
      "\\u0000",
      "1e-7",
    ]) {
      expect(text).toContain(piece);
    }
  });

  test("all but the events of a future version are understood by this one", () => {
    for (const { envelope } of events) expect(recognise(envelope).ok).toBe(envelope.v <= ENVELOPE_VERSION);
    expect(events.filter(({ envelope }) => !recognise(envelope).ok)).toHaveLength(1);
  });
});

describe("what a hash covers", () => {
  const changes: [what: string, changed: Partial<Envelope>][] = [
    ["seq", { seq: 2 }],
    ["id", { id: "b" }],
    ["ts", { ts: "2026-03-01T08:00:00.001Z" }],
    ["source", { source: "agent" }],
    ["type", { type: "messages" }],
    ["version", { v: 2 }],
    ["payload", { payload: { text: "Hello" } }],
    ["payload's members", { payload: { text: "hello", more: null } }],
    ["cause", { cause: { ask: "a-1", task: "t-2" } }],
    ["kind of cause", { cause: { ask: "a-1", call: "t-1" } }],
  ];
  test.each(changes)("another %s gives another hash", (_, changed) => {
    expect(chained({ ...first, ...changed })).not.toBe(chained(first));
  });

  test("another event before gives another hash", () => {
    expect(chained(first, "1".repeat(64))).not.toBe(chained(first));
  });

  test("no cause and some cause give different hashes", () => {
    const { cause: _, ...without } = first;
    expect(chained(without)).not.toBe(chained(first));
    expect(body(without)).not.toContain("cause");
  });

  test("user_id and the hash itself are not covered, so that a computer can change its id and stay itself", () => {
    const moved: Envelope = { ...first, user_id: "grace", hash: "f".repeat(64) };
    expect(body(moved)).toBe(body(first));
    expect(body(first)).not.toContain("ada");
  });

  test("the order of keys is not covered", () => {
    const turned = Object.fromEntries(Object.entries(first).reverse());
    expect(chained(Envelope.parse({ ...turned, cause: { task: "t-1", ask: "a-1" } }))).toBe(chained(first));
  });
});

describe("bodies", () => {
  test("the two halves around seq make the body, for any seq", () => {
    const { seq: _, ...rest } = first;
    const [head, tail] = bodyAround(rest);
    for (const seq of [1, 2, 10, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      expect(`${head}${seq}${tail}`).toBe(body({ ...first, seq }));
      expect(JSON.parse(`${head}${seq}${tail}`).seq).toBe(seq);
    }
  });

  test("a body is the canonical form of the whole event but for user_id and hash", () => {
    const { user_id: _, hash: __, ...hashed } = first;
    expect(body(first)).toBe(canonicalise(hashed));
  });

  test("a payload that holds the text of another seq can't pass for it", () => {
    const sly = { ...first, payload: { text: '","seq":7,"source":"user' } };
    expect(JSON.parse(body(sly))).toMatchObject({ seq: 1, payload: sly.payload });
  });
});
