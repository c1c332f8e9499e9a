import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ChangeList, type PathChange } from "./change.ts";
import type { ContentRef } from "./content.ts";
import { Envelope, recognise } from "./envelope.ts";
import { Id, Sha256 } from "./ids.ts";
import { Json } from "./json.ts";
import { Path } from "./path.ts";
import { type EventType, isEventType, PAYLOADS } from "./payloads.ts";
import { references, referencesOfChanges } from "./references.ts";

/*
 * The payloads here are made from the schemas themselves, with every optional field and every shape that a schema allows.
 * So a new type of event, or a new field, that names a content is found without anyone thinking of this file.
 */
const TYPES = Object.keys(PAYLOADS).filter(isEventType);

test.each(TYPES)("%s names every content that its payload holds", (type) => {
  for (const payload of samples(PAYLOADS[type])) {
    const { contents, list } = references(known(type, payload));
    expect(sorted(contents)).toEqual(sorted(contentsIn(payload)));
    expect(list).toEqual(isObject(payload) ? payload.list : undefined);
  }
});

test("the types that hold contents are found to hold them", () => {
  const holding = TYPES.filter((type) => samples(PAYLOADS[type]).some((payload) => contentsIn(payload).length > 0));
  expect(holding).toEqual(
    expect.arrayContaining([
      "message",
      "task.finished",
      "model.asked",
      "model.call",
      "tool.call",
      "tool.result",
      "file.write",
      "undo",
    ]),
  );
  expect(holding).not.toContain("settings.change");
  const calls = samples(PAYLOADS["model.call"]).map((payload) => contentsIn(payload).length);
  expect(calls).toEqual(expect.arrayContaining([1, 2]));
});

describe("changes", () => {
  test("a list of changes names the contents of files and links, before and after", () => {
    const lists = samples(ChangeList);
    expect(lists.flatMap(contentsIn).length).toBeGreaterThan(3);
    for (const list of lists)
      expect(sorted(referencesOfChanges(ChangeList.parse(list)))).toEqual(sorted(contentsIn(list)));
  });

  test("a folder and nothing have no content", () => {
    const change: PathChange = { after: { kind: "dir", mode: 0o755 }, before: null, path: "a" };
    expect(referencesOfChanges([change])).toEqual([]);
  });

  test("what looks like a content in a setting is only a setting", () => {
    const value = { hash: "0a".repeat(32), size: 1 };
    expect(referencesOfChanges([{ after: value, before: value, key: "a" }])).toEqual([]);
  });
});

function known(type: EventType, payload: unknown) {
  const event = Envelope.parse({
    v: 1,
    id: "a",
    seq: 1,
    ts: "2026-03-01T08:00:00.000Z",
    user_id: "ada",
    source: "user",
    type,
    payload,
    hash: "0".repeat(64),
  });
  const recognised = recognise(event);
  if (!recognised.ok) throw new Error(`the sample of ${type} is wrong: ${recognised.why}`);
  return recognised.value;
}

const sorted = (refs: readonly ContentRef[]) => refs.map(({ hash, size }) => `${hash} ${size}`).sort();

/** Every object with a hash and a size in it: that is how a content is named. */
function contentsIn(value: unknown): ContentRef[] {
  if (Array.isArray(value)) return value.flatMap(contentsIn);
  if (!isObject(value)) return [];
  const { hash, size } = value;
  const own = typeof hash === "string" && typeof size === "number" ? [{ hash, size }] : [];
  return [...own, ...Object.values(value).flatMap(contentsIn)];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

let made = 0;

/** Values that a schema takes: together they have every field and every shape that it allows, and no content twice. */
function samples(schema: z.core.$ZodType): unknown[] {
  made++;
  if (schema === Sha256) return [made.toString(16).padStart(64, "0")];
  if (schema === Id) return [`id-${made}`];
  if (schema === Path) return [`path-${made}`];
  if (schema === Json) return [{ nested: made }];
  // The union of all kinds, so that `type` tells them apart.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return objects(def.shape);
    case "union":
      return def.options.flatMap(samples);
    case "array":
      return [samples(def.element)];
    case "tuple":
      return [def.items.flatMap((item) => samples(item).slice(0, 1))];
    case "optional":
      return samples(def.innerType);
    case "nullable":
      return [...samples(def.innerType), null];
    case "enum":
      return Object.values(def.entries);
    case "literal":
      return [...def.values];
    case "boolean":
      return [true, false];
    default:
      return [plain(schema)];
  }
}

/** One object for each shape of the field that has most. Fields start at different shapes, so that not all are null at once. */
function objects(shape: Readonly<Record<string, z.core.$ZodType>>): object[] {
  const fields = Object.entries(shape).map(([key, schema]) => ({ key, count: samples(schema).length, schema }));
  const most = Math.max(...fields.map(({ count }) => count));
  return Array.from({ length: most }, (_, round) =>
    Object.fromEntries(fields.map(({ key, count, schema }, i) => [key, samples(schema)[(round + i) % count]])),
  );
}

/** For texts and numbers, the first of a few that the schema's own rules let through. */
function plain(schema: z.core.$ZodType): unknown {
  const fitting = [1, "text", "example.org", "https://example.org/", "0f".repeat(20), "window.1"].filter(
    (candidate) => z.safeParse(schema, candidate).success,
  );
  if (fitting.length === 0) throw new Error(`no sample for a ${schema._zod.def.type}: add one to this test`);
  return fitting[0];
}
