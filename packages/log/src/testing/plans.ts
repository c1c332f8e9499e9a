import type { Draft, Id, Json } from "@choiros/contract";
import fc from "fast-check";
import { message, setting } from "./drafts.ts";

/** What a run of the model test does, as plain data, so that fast-check can make it smaller. */
export type Step =
  | { readonly do: "append"; readonly burst: readonly Plan[] }
  | { readonly do: "crash"; readonly burst: readonly Plan[] }
  | { readonly do: "read"; readonly by: Who; readonly query: QueryPlan }
  | { readonly do: "follow"; readonly by: Who; readonly from: number; readonly pace: number }
  | { readonly do: "leave"; readonly which: number }
  | { readonly do: "reopen" };

export type Who = "writer" | "reader";

export interface Plan {
  /** A few ids, so that they come again; or none. */
  readonly id: Id | undefined;
  /** How far from the head the expected seq is; or none is expected. */
  readonly expected: number | undefined;
  readonly kind: "message" | "setting" | "large" | "invalid" | "too-large";
  readonly ask: Id | undefined;
  readonly value: Json;
}

/** Seqs as shares of the head, so that they mean something in a log of any length. */
export interface QueryPlan {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly types: readonly string[] | undefined;
  readonly ask: Id | undefined;
  readonly limit: number | undefined;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const id = fc.constantFrom("k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7");
const ask = fc.constantFrom("a0", "a1");
const share = fc.integer({ min: -10, max: 110 });
const who = fc.constantFrom<Who>("writer", "writer", "reader");

const plan: fc.Arbitrary<Plan> = fc.record({
  id: maybe(id),
  expected: maybe(fc.constantFrom(0, 0, 0, 1, 2, -1, 5)),
  kind: fc.constantFrom("message", "message", "message", "setting", "setting", "large", "invalid", "too-large"),
  ask: maybe(ask),
  value: fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value))), // JSON has no -0
});

const query: fc.Arbitrary<QueryPlan> = fc.record({
  from: maybe(share),
  to: maybe(share),
  types: maybe(fc.subarray(["message", "settings.change", "log.created", "file.write"])),
  ask: maybe(ask),
  limit: maybe(fc.nat(12)),
});

const burst = fc.array(plan, { minLength: 1, maxLength: 10 });

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("append" as const), burst }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("read" as const), by: who, query }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("follow" as const), by: who, from: share, pace: fc.nat(4) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), which: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const), burst }) },
  ),
  { minLength: 1, maxLength: 16 },
);

const LARGE = 30_000;

export function draftOf({ id, kind, ask, value }: Plan): Draft {
  const more = { ...(id !== undefined && { id }), ...(ask !== undefined && { cause: { ask } }) };
  switch (kind) {
    case "message":
      return message(`says ${JSON.stringify(value)}`, more);
    case "setting":
      return setting(value, more);
    case "large":
      return setting(["x".repeat(LARGE), value], more);
    case "too-large":
      return setting("x".repeat(600_000), more);
    case "invalid":
      return message("", more); // a message says something
  }
}
