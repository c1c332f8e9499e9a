import { type Envelope, recognise, type Target } from "@choiros/contract";
import type { Query } from "@choiros/log";
import { changesOf } from "../change-list.ts";
import { commit } from "../commit.ts";
import type { ActOptions } from "../computer-port.ts";
import type { Change, Choices, Outcome, Preview, Refused } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { readEntry } from "../read-entry.ts";
import { lasting } from "../undo/lasting.ts";
import { planUndo, type UndoPlan } from "../undo/plan.ts";
import { planRewind } from "../undo/rewind.ts";
import { standingIn } from "../undo-standing.ts";
import { refused } from "./write-file.ts";

export interface UndoOptions extends ActOptions {
  readonly choices?: Choices;
}

/** Takes back what a target did, as a new event: all of it, or nothing. */
export function undoTarget(parts: Parts, target: Target, options: UndoOptions = {}): Promise<Outcome> {
  return parts.turns.take(async () => {
    const plan = await planFor(parts, target, options.choices);
    if ("ok" in plan) return plan;
    if (plan.outcome === "nothing") return refused(`nothing to undo: ${plan.why}`, "nothing");
    if (plan.outcome === "conflict") return conflict(plan);
    for (const { bytes } of plan.merged) await parts.contents.put(bytes);
    const notes = plan.stays.map((key) => `${key} stays: there are other things in it now`);
    return commit(parts, { type: "undo", extra: { target } }, plan.changes, { ...options, notes });
  });
}

/** What `undoTarget` would do now. */
export function previewTarget(parts: Parts, target: Target, choices?: Choices): Promise<Preview | Refused> {
  return parts.turns.take(async () => {
    const plan = await planFor(parts, target, choices);
    if ("ok" in plan) return plan;
    const notes = [IGNORED_NOTE, ...(plan.outcome === "nothing" ? [`nothing to undo: ${plan.why}`] : [])];
    return {
      changes: plan.outcome === "ready" ? plan.changes : plan.outcome === "conflict" ? plan.rest : [],
      conflicts: plan.outcome === "conflict" ? plan.conflicts : [],
      stays: plan.stays,
      lasting: await lasting(eventsOf(parts, target)),
      notes,
    };
  });
}

const IGNORED_NOTE = "What is ignored (.choirignore: node_modules, build output, caches) isn't touched.";

async function planFor(parts: Parts, target: Target, choices: Choices = {}): Promise<UndoPlan | Refused> {
  const { state } = parts;
  if ("since" in target) {
    await parts.reconciler.readyAll();
    const head = state.appliedSeq;
    if (target.since > head) return refused(`the log is at ${head}: there is no moment ${target.since} yet`, "missing");
    return planRewind({ diff: state.diff(head, target.since), standing: standingIn(parts, target.since), choices });
  }
  const done = await whatItDid(parts, target);
  if (done === undefined) return refused(`${nameOf(target)} is not in the log`, "missing");
  const keys = done.slices.flatMap((slice) => slice.flatMap((change) => ("key" in change ? [change.key] : [])));
  await parts.reconciler.ready([...new Set(keys)]);
  const standing = standingIn(parts, done.first - 1);
  return planUndo({ target: inOrder(done.slices), standing, read: readEntry(parts.contents), choices });
}

function conflict({ conflicts }: Extract<UndoPlan, { outcome: "conflict" }>): Refused {
  const count = conflicts.length === 1 ? "one place" : `${conflicts.length} places`;
  const message = `this would undo what came later in ${count}; nothing was touched`;
  return { ok: false, reason: "conflict", message, conflicts };
}

/** What a target changed, in order, and its first event. */
async function whatItDid(
  parts: Parts,
  target: Target,
): Promise<{ first: number; slices: (readonly Change[])[] } | undefined> {
  let first: number | undefined;
  const slices: (readonly Change[])[] = [];
  for await (const event of eventsOf(parts, target)) {
    first ??= event.seq;
    const known = recognise(event);
    if (known.ok) slices.push(...(await Array.fromAsync(changesOf(parts.contents, known.value))));
  }
  return first === undefined ? undefined : { first, slices };
}

async function* inOrder<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function eventsOf(parts: Parts, target: Target): AsyncIterable<Envelope> {
  return parts.log.read(queryOf(target));
}

function queryOf(target: Target): Query {
  if ("seq" in target) return { from: target.seq, to: target.seq };
  if ("since" in target) return { from: target.since + 1 };
  return { cause: target };
}

function nameOf(target: Target): string {
  const [[kind, id] = ["", ""]] = Object.entries(target);
  return kind === "seq" ? `event ${id}` : `${kind} ${id}`;
}
