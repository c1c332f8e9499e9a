import { type Doing, type Envelope, IGNORED_NOTE, recognise, type Taken, type Target } from "@choiros/contract";
import type { Query } from "@choiros/log";
import { changesOf } from "../change-list.ts";
import { commit } from "../commit.ts";
import { type ActOptions, attentive, type Watching } from "../computer-port.ts";
import { carryKept } from "../kept-list.ts";
import type { Change, Choices, Conflict, Outcome, Preview, Refused } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { readEntry } from "../read-entry.ts";
import { shownPath, shownPlace } from "../shown-path.ts";
import { lasting } from "../undo/lasting.ts";
import { planUndo, type UndoPlan } from "../undo/plan.ts";
import { planRewind } from "../undo/rewind.ts";
import { standingIn } from "../undo-standing.ts";
import { keptChanges, keptNotes, placeOf, takenBackNow } from "./kept.ts";
import { refused } from "./write-file.ts";

export interface UndoOptions extends ActOptions, Watching {
  readonly choices?: Choices;
  /** Only what the target did from this event on. */
  readonly from?: number;
}

export type PreviewOptions = Watching & Pick<UndoOptions, "choices" | "from">;

/** Takes back what a target did, as a new event: all of it, or nothing. */
export function undoTarget(parts: Parts, target: Target, options: UndoOptions = {}): Promise<Outcome> {
  return parts.turns.take(async () => {
    const { plan, notes } = await planFor(parts, target, options);
    if ("ok" in plan) return plan;
    if (plan.outcome === "nothing") return refused(`nothing to undo: ${plan.why}`, "nothing");
    if (plan.outcome === "conflict") return conflict(plan);
    options.signal?.throwIfAborted(); // from here on it happens
    for (const { bytes } of plan.merged) await parts.contents.put(bytes);
    const stays = plan.stays.map((key) => `${shownPath(key)} stays: there are other things in it now`);
    const all = { ...options, notes: [...notes, ...keptNotes(plan.kept), ...stays] };
    const left = await keptChanges(parts, queryOf(target, options), [...plan.kept, ...plan.stays]);
    const kept = left.length > 0 && { kept: await carryKept(parts.contents, left) };
    return commit(parts, { type: "undo", extra: { ...kept, target } }, plan.changes, all);
  });
}

/** What `undoTarget` would do now. */
export function previewTarget(parts: Parts, target: Target, options: PreviewOptions = {}): Promise<Preview | Refused> {
  return parts.turns.take(async () => {
    const { plan, notes: found } = await planFor(parts, target, options);
    if ("ok" in plan) return plan;
    const notes = [...found, IGNORED_NOTE, ...(plan.outcome === "nothing" ? [`nothing to undo: ${plan.why}`] : [])];
    return {
      changes: plan.outcome === "ready" ? plan.changes : plan.outcome === "conflict" ? plan.rest : [],
      conflicts: plan.outcome === "conflict" ? plan.conflicts : [],
      stays: plan.stays,
      lasting: await lasting(parts.log.read(queryOf(target))),
      notes,
    };
  });
}

interface Planned {
  readonly plan: UndoPlan | Refused;
  /** What was found in the folder on the way. */
  readonly notes: readonly string[];
}

async function planFor(parts: Parts, target: Target, options: PreviewOptions): Promise<Planned> {
  const planned = await planWith(parts, target, options);
  const { each } = options.choices ?? {};
  if ("ok" in planned.plan || each === undefined || each.size === 0) return planned;
  const slips = await refuseSlips(parts, target, each);
  return slips === undefined ? planned : { ...planned, plan: slips };
}

/** A choice for a path that has no conflict: whoever made it believes that something else would happen. */
async function refuseSlips(parts: Parts, target: Target, each: NonNullable<Choices["each"]>) {
  const conflicts = await conflictsWith(parts, target, {});
  const found = new Set(conflicts.map(({ key }) => key));
  const sure = new Map([...each].filter(([key]) => found.has(key)));
  if (sure.size === each.size) return undefined;
  for (const { key } of await conflictsWith(parts, target, { each: sure })) found.add(key); // some come up by settling others
  const slips = [...each.keys()].filter((key) => !found.has(key)).map(shownPlace);
  if (slips.length === 0) return undefined;
  const message = `there is no conflict at ${slips.join(", ")}, and so nothing to choose; nothing was touched`;
  return { ...refused(message, "choice"), conflicts };
}

async function conflictsWith(parts: Parts, target: Target, choices: Choices): Promise<readonly Conflict[]> {
  const { plan } = await planWith(parts, target, { choices });
  return "outcome" in plan && plan.outcome === "conflict" ? plan.conflicts : [];
}

async function planWith(parts: Parts, target: Target, options: PreviewOptions): Promise<Planned> {
  const { choices = {} } = options;
  const onProgress = attentive(options);
  const { state, reconciler } = parts;
  if ("since" in target) {
    const { notes } = await reconciler.readyAll(onProgress);
    const head = state.appliedSeq;
    const none = `there is no event ${target.since} yet: the last one is ${head}`;
    if (target.since > head) return { plan: refused(none, "missing"), notes };
    const diff = state.diff(head, target.since);
    return { plan: await planRewind({ diff, standing: standingIn(parts, target.since), choices }), notes };
  }
  const query = queryOf(target, options);
  const done = await whatItDid(parts, query, target);
  const none = `${nameOf(target)} is not in the log`;
  if (done === undefined) return { plan: refused(none, "missing"), notes: [] };
  const { notes } = await reconciler.ready([...done.keys], { onProgress });
  const standing = standingIn(parts, done.first - 1);
  const taken = done.doing && (await takenBackNow(parts, done.doing));
  const changes = unlessTaken(changesIn(parts, { ...query, to: done.last }), taken);
  const plan = await planUndo({ target: changes, standing, read: readEntry(parts.contents), choices });
  return {
    plan: plan.outcome === "conflict" && taken !== undefined && isWhole(taken) ? nothingBut(plan, taken) : plan,
    notes,
  };
}

function isWhole({ but, folders }: Taken): boolean {
  return but.length + folders.length === 0;
}

/** Where most of it is taken back already, only what was kept of it is left to take back. */
async function* unlessTaken(changes: AsyncIterable<readonly Change[]>, taken: Taken | undefined) {
  const left = taken === undefined || isWhole(taken) ? undefined : new Set([...taken.but, ...taken.folders]);
  for await (const slice of changes) yield left === undefined ? slice : slice.filter((one) => left.has(placeOf(one)));
}

/** What stands there came after it was taken back: that is no conflict with it. */
function nothingBut({ stays }: UndoPlan, { by }: Taken): UndoPlan {
  return { outcome: "nothing", why: `it is taken back already, by event ${by.seq}`, stays };
}

function conflict({ conflicts }: Extract<UndoPlan, { outcome: "conflict" }>): Refused {
  const count = conflicts.length === 1 ? "one place" : `${conflicts.length} places`;
  const impossible = conflicts.every(({ choices }) => !choices.includes("theirs"));
  const what = impossible ? "what was can't come back" : "this would undo what came later";
  const message = `${what} in ${count}; nothing was touched`;
  return { ok: false, reason: "conflict", message, conflicts };
}

/** A target's first and last event, and the paths that it changed. What it did there is read again: it may be much. */
async function whatItDid(parts: Parts, query: Query, target: Target): Promise<Did | undefined> {
  let [first, last] = [0, 0];
  const [keys, places] = [new Set<string>(), new Set<string>()];
  let doing: Doing | undefined;
  for await (const event of parts.log.read(query)) {
    if (first === 0) first = event.seq;
    last = event.seq;
    if ("changes" in event.payload || "list" in event.payload) doing = withEvent(doing, event, target);
    for await (const slice of changesOfEvent(parts, event))
      for (const change of slice) {
        places.add(placeOf(change));
        if ("key" in change) keys.add(change.key);
      }
  }
  return first === 0 ? undefined : { first, last, keys, doing: doing && { ...doing, places } };
}

/** What the target is a part of counts as well; what is only a part of the target doesn't. */
function withEvent(former: Doing | undefined, { cause, seq }: Envelope, target: Target): Doing {
  const { ask, task, call } = cause ?? {};
  const own = "ask" in target ? { ask } : "task" in target ? { ask, task } : { ask, task, call };
  const of = Object.fromEntries(Object.entries(own).filter(([, id]) => id !== undefined));
  return {
    ...("seq" in target && { seq }),
    ...{ cause: of, first: former?.first ?? seq, last: seq },
  };
}

interface Did {
  readonly first: number;
  readonly last: number;
  readonly keys: ReadonlySet<string>;
  /** `undefined` where it changed nothing. */
  readonly doing: Doing | undefined;
}

async function* changesIn(parts: Parts, query: Query): AsyncGenerator<readonly Change[]> {
  for await (const event of parts.log.read(query)) yield* changesOfEvent(parts, event);
}

async function* changesOfEvent({ contents }: Parts, event: Envelope): AsyncGenerator<readonly Change[]> {
  const known = recognise(event);
  if (known.ok) yield* changesOf(contents, known.value);
}

function queryOf(target: Target, { from }: Pick<UndoOptions, "from"> = {}): Query {
  if ("seq" in target) return { from: from ?? target.seq, to: target.seq };
  if ("since" in target) return { from: from ?? target.since + 1 };
  return { cause: target, ...(from !== undefined && { from }) };
}

function nameOf(target: Target): string {
  const [[kind, id] = ["", ""]] = Object.entries(target);
  return kind === "seq" ? `event ${id}` : `${kind} ${id}`;
}
