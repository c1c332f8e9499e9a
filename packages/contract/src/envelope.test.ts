import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { PathChange } from "./change.ts";
import { type Draft, ENVELOPE_VERSION, Envelope, type KnownEvent, parseDraft, recognise } from "./envelope.ts";
import type { Id } from "./ids.ts";
import type { Path } from "./path.ts";
import { pathFromBytes, pathKey } from "./path-key.ts";
import type { EventType, Payload } from "./payloads.ts";

const HASH = "0a".repeat(32);
const hello = { source: "user", type: "message", payload: { text: "hello" } };
const event = {
  v: ENVELOPE_VERSION,
  id: "e-1",
  seq: 1,
  ts: "2026-03-01T08:00:00.000Z",
  user_id: "ada",
  cause: { ask: "a-1" },
  hash: HASH,
  ...hello,
};
const why = (input: unknown) => {
  const parsed = parseDraft(input);
  return parsed.ok ? "fine" : parsed.why;
};
const whyNot = (changed: object) => {
  const recognised = recognise(Envelope.parse({ ...event, ...changed }));
  return recognised.ok ? "fine" : recognised.why;
};

describe("drafts", () => {
  test("a draft comes out as it went in, with and without an id and a cause", () => {
    for (const draft of [hello, { ...hello, id: "e-1" }, { ...hello, id: "e-1", cause: { ask: "a", call: "c" } }]) {
      expect(parseDraft(draft)).toEqual({ ok: true, value: draft });
    }
  });

  test.each<[why: string, input: unknown]>([
    ["invalid input: expected object, received null", null],
    ["invalid input: expected object, received string", "hello"],
    ["invalid input: expected object, received array", [hello]],
    ['source: invalid option: expected one of "user"|"agent"|"system"', { ...hello, source: "root" }],
    ["type must be lower-case words with dots between them, like 'file.write'", { ...hello, type: "file write" }],
    ["type must be lower-case words with dots between them, like 'file.write'", { ...hello, type: "MESSAGE" }],
    ["'messages' is not a type of event that this version writes", { ...hello, type: "messages" }],
    ["'constructor' is not a type of event that this version writes", { ...hello, type: "constructor" }],
    ["id must be 1 to 64 of A-Z, a-z, 0-9, '_' and '-'", { ...hello, id: "a b" }],
    ["cause.ask must be 1 to 64 of A-Z, a-z, 0-9, '_' and '-'", { ...hello, cause: { ask: "" } }],
    ["cause must name at least one of ask, call, conversation, task", { ...hello, cause: {} }],
    ['unrecognized key: "seq"', { ...hello, seq: 1 }],
    ['unrecognized key: "user_id"', { ...hello, user_id: "ada" }],
    ["payload of 'message': unrecognized key: \"html\"", { ...hello, payload: { text: "hello", html: "" } }],
    ["payload of 'message': text: invalid input: expected string, received number", { ...hello, payload: { text: 1 } }],
    [
      "payload of 'message': text: invalid input: expected string, received undefined, " +
        "or content: invalid input: expected object, received undefined",
      { ...hello, payload: {} },
    ],
    [
      "payload of 'file.write': changes.0.path must not contain '.' or '..' as a part",
      { source: "agent", type: "file.write", payload: { changes: [{ path: "../a", before: null, after: dir() }] } },
    ],
    [
      "payload of 'file.write': changes.1.after.kind: invalid discriminator value. Expected 'file' | 'link' | 'dir'",
      {
        source: "agent",
        type: "file.write",
        payload: { changes: [change("a"), { path: "b", before: null, after: { kind: "socket", mode: 0 } }] },
      },
    ],
    [
      "payload of 'file.write': list.hash must be 64 lower-case hex digits",
      { source: "agent", type: "file.write", payload: { count: 200, list: { hash: "abc", size: 1 } } },
    ],
  ])("who made a bad draft is told: %s", (says, input) => {
    expect(why(input)).toBe(says);
  });

  test("everything that is wrong is said at once", () => {
    expect(why({ source: "root", type: "x y" })).toMatch(/^payload: .*; source: .*; type must be /);
    const denied = { ...hello, type: "receipt.net", payload: { host: "", port: 0 } };
    for (const field of ["allowed", "bytes_in", "bytes_out", "host", "port"])
      expect(why(denied)).toContain(`${field}: `);
  });

  test("a draft with many faults names the first five, and how many more there are", () => {
    const before = null;
    const changes = Array.from({ length: 50 }, (_, i) => ({
      path: `/absolute/${i}`,
      before,
      after: { kind: "dir", mode: 1 },
    }));
    expect(why({ source: "user", type: "dir.create", payload: { changes } })).toMatch(
      /changes\.4\.path .*; and \d+ more$/,
    );
  });

  test("no input makes it throw: it is taken, or the reason is a sentence", () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
    );
    const paths = fc.oneof(fc.string(), fc.record({ b64: fc.string() }), fc.record({ b64: fc.base64String() }), odd);
    const changes = fc.array(
      fc.record({ path: paths, before: fc.constant(null), after: fc.oneof(fc.constant(dir()), odd) }),
    );
    const payloads = fc.oneof(odd, fc.record({ changes }), fc.record({ text: odd, paths: fc.array(paths) }));
    const types = fc.constantFrom("message", "file.write", "undo", "settings.change", "task.planned", "nothing.known");
    fc.assert(
      fc.property(
        fc.oneof(odd, fc.record({ source: fc.constant("user"), type: types, payload: payloads })),
        (input) => {
          expect(why(input)).toMatch(/^(?:fine|.*[a-z].*)$/s);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("any list of file changes", () => {
  const entry = fc.oneof(
    fc.record({ kind: fc.constant("dir" as const), mode: fc.integer({ min: 0, max: 0o7777 }) }),
    fc.record({
      hash: fc.stringMatching(/^[0-9a-f]{64}$/),
      kind: fc.constantFrom("file" as const, "link" as const),
      mode: fc.integer({ min: 0, max: 0o7777 }),
      size: fc.maxSafeNat(),
    }),
  );
  /** Names by their bytes, so that some of them aren't UTF-8. */
  const name = fc
    .array(
      fc.integer({ min: 1, max: 255 }).filter((byte) => byte !== 0x2f),
      { minLength: 1, maxLength: 8 },
    )
    .filter((bytes) => !bytes.every((byte) => byte === 0x2e));
  const path = fc
    .array(name, { minLength: 1, maxLength: 4 })
    .map((names): Path => pathFromBytes(Uint8Array.from(names.flatMap((bytes) => [0x2f, ...bytes]).slice(1))));
  const both = fc.oneof(fc.tuple(entry, fc.option(entry)), fc.tuple(fc.option(entry), entry));
  const pathChange = fc.tuple(path, both).map(([path, [before, after]]): PathChange => ({ after, before, path }));
  const drafts = fc.record({
    source: fc.constantFrom("user" as const, "agent" as const, "system" as const),
    type: fc.constant("file.write" as const),
    payload: fc.record({
      changes: fc.uniqueArray(pathChange, { minLength: 1, maxLength: 12, selector: (change) => pathKey(change.path) }),
    }),
  });

  test("is taken as it is", () => {
    fc.assert(
      fc.property(drafts, (draft: Draft) => {
        expect(parseDraft(draft)).toEqual({ ok: true, value: draft });
      }),
      { numRuns: 200 },
    );
  });

  test("is refused once one of its paths comes twice, climbs out, or has neither a before nor an after", () => {
    const faults: [says: RegExp, spoil: (change: PathChange) => unknown][] = [
      [/changes must name each path and key once$/, (change) => change],
      [/changes\.\d+\.path must not contain '\.' or '\.\.' as a part$/, (change) => ({ ...change, path: "a/../b" })],
      [/changes\.\d+ must have a before or an after$/, () => ({ path: "gone", before: null, after: null })],
    ];
    fc.assert(
      fc.property(drafts, fc.nat(), fc.constantFrom(...faults), ({ payload, ...rest }, at, [says, spoil]) => {
        const { changes } = payload;
        const spoilt = changes
          .slice(at % changes.length)
          .slice(0, 1)
          .map(spoil);
        expect(why({ ...rest, payload: { changes: [...changes, ...spoilt] } })).toMatch(says);
      }),
      { numRuns: 200 },
    );
  });
});

describe("events as a log gives them back", () => {
  test.each<[string, object]>([
    ["without a cause", { cause: undefined }],
    ["of a type that nobody knows yet", { type: "weather.observed", payload: { sky: "grey" } }],
    ["of a version that nobody knows yet", { v: 2, cause: { sensor: "s" } }],
    ["with a payload of any shape", { payload: { deep: [{ er: null }] } }],
    ["with a key named __proto__", { payload: JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":2}}') }],
    ["with members that nobody knows yet", { signature: "s" }],
  ])("an envelope keeps an event whole: %s", (_, changed) => {
    const { cause, ...rest } = { ...event, ...changed };
    const whole = cause === undefined ? rest : { ...rest, cause };
    expect(JSON.stringify(sortKeys(Envelope.parse(whole)))).toBe(JSON.stringify(sortKeys(whole)));
  });

  test.each<[string, object]>([
    ["a user that is no DNS label", { user_id: "Ada" }],
    ["seq 0", { seq: 0 }],
    ["half a seq", { seq: 1.5 }],
    ["no hash", { hash: "" }],
    ["a payload that is a list", { payload: [] }],
    ["no payload", { payload: undefined }],
    ["version 0", { v: 0 }],
  ])("an envelope is never one with %s", (_, changed) => {
    expect(Envelope.safeParse({ ...event, ...changed }).success).toBe(false);
  });
});

describe("what this version recognises", () => {
  test("an event of a known type and payload is given back with its meaning", () => {
    expect(recognise(Envelope.parse(event))).toEqual({ ok: true, value: event });
  });

  test.each<[why: string, changed: object]>([
    ["envelope version 2 is newer than 1", { v: 2 }],
    ['source: invalid option: expected one of "user"|"agent"|"system"', { source: "device" }],
    ["ts: invalid ISO datetime", { ts: "2026-03-01T08:00:00Z" }],
    ["ts: invalid ISO datetime", { ts: "2026-03-01T08:00:00.000+01:00" }],
    ["ts: invalid ISO datetime", { ts: "2026-02-30T08:00:00.000Z" }],
    ["'FILE_WRITE' is not a type of event that this version knows", { type: "FILE_WRITE" }],
    ["'weather.observed' is not a type of event that this version knows", { type: "weather.observed" }],
    ["'constructor' is not a type of event that this version knows", { type: "constructor" }],
    ["payload of 'message': unrecognized key: \"mood\"", { payload: { text: "hello", mood: "calm" } }],
    ["payload of 'message': unrecognized key: \"__proto__\"", { payload: JSON.parse('{"text":"a","__proto__":{}}') }],
    ["payload of 'message': text: invalid input: expected string, received number", { payload: { text: 5 } }],
    ['cause: unrecognized key: "sensor"', { cause: { ask: "a-1", sensor: "s" } }],
    ["cause: it must name at least one of ask, call, conversation, task", { cause: {} }],
    ["cause: ask must be 1 to 64 of A-Z, a-z, 0-9, '_' and '-'", { cause: { ask: "a b" } }],
  ])("an event of a newer version is not guessed at: %s", (says, changed) => {
    expect(whyNot(changed)).toBe(says);
  });
});

describe("types", () => {
  test("a draft's type decides its payload", () => {
    const draft: Draft = {
      source: "agent",
      type: "file.move",
      payload: { changes: [change("a")], from: "a", to: "b" },
    };
    expectTypeOf<Extract<Draft, { type: "file.move" }>["payload"]>().toEqualTypeOf<Payload<"file.move">>();
    expectTypeOf<Draft["type"]>().toEqualTypeOf<EventType>();
    expectTypeOf<Draft["id"]>().toEqualTypeOf<Id | undefined>();
    // @ts-expect-error: a message has no changes
    const wrong: Draft = { source: "agent", type: "message", payload: { changes: [change("a")] } };
    // @ts-expect-error: there is no such type
    const unknown: Draft = { source: "agent", type: "file.copied", payload: {} };
    expect([draft, wrong, unknown].map((each) => parseDraft(each).ok)).toEqual([true, false, false]);
  });

  test("a known event narrows by its type", () => {
    const read = (known: KnownEvent): string | undefined => {
      if (known.type !== "task.started") return undefined;
      expectTypeOf(known.payload).toEqualTypeOf<{ attempt: number }>();
      return `attempt ${known.payload.attempt}`;
    };
    const started = recognise(Envelope.parse({ ...event, type: "task.started", payload: { attempt: 2 } }));
    expect(started.ok && read(started.value)).toBe("attempt 2");
  });
});

function dir() {
  return { kind: "dir" as const, mode: 0o755 };
}

function change(path: Path): PathChange {
  return { after: dir(), before: null, path };
}

/** The top level only: what stands below is to be as it was. */
function sortKeys(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
