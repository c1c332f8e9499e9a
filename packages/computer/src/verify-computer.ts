import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Entry, Sha256 } from "@choiros/contract";
import type { ComputerReport, Watching } from "./computer-port.ts";
import { sameEntry } from "./merge/merge-entries.ts";
import type { LocalParts } from "./readable-computer.ts";
import type { FrozenState } from "./state/frozen-state.ts";
import { replayed, scratchFolder } from "./state/open-state.ts";
import { slices } from "./state/state-rows.ts";

/** The first differences are named; more of them say nothing new. */
const MAX_NAMED = 50;

/**
 * Holds the state against a replay of the log, and the folder, byte by byte, against the state. Both are looked at as they
 * stand when it comes to them: others go on meanwhile, and wait for no more than a look at what seems to differ.
 */
export async function verifyComputer(parts: LocalParts, options: Watching = {}): Promise<ComputerReport> {
  const state = await verifyState(parts, options);
  const folder = await verifyFolder(parts, options);
  return { ok: state.ok && folder.ok, state, folder };
}

async function verifyState(parts: LocalParts, options: Watching): Promise<ComputerReport["state"]> {
  const { log, contents, projector } = parts;
  await projector.reached((await log.head()).seq);
  const scratch = await scratchFolder(join(parts.root, ".choir"));
  try {
    const state = await parts.state.freeze();
    try {
      const made = await replayed(join(scratch, "state.sqlite"), state.seq, { log, contents, ...options });
      const expected = await made.freeze().finally(() => made.close());
      return await compared(state, expected, options.signal).finally(() => expected.close());
    } finally {
      await state.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function compared(
  state: FrozenState,
  expected: FrozenState,
  signal: AbortSignal | undefined,
): Promise<ComputerReport["state"]> {
  const hash = await state.hash(signal);
  if (hash === (await expected.hash(signal))) return { ok: true, hash, problems: [] };
  const problems = await differences(state, expected);
  const hidden = "what stood earlier isn't what the log says; 'choir rebuild' makes it again";
  return { ok: false, hash, problems: problems.length > 0 ? problems : [hidden] };
}

async function differences(state: FrozenState, replay: FrozenState): Promise<string[]> {
  const there = state.lines();
  const expected = replay.lines();
  const problems: string[] = [];
  let [a, b] = [await there.next(), await expected.next()];
  while ((!a.done || !b.done) && problems.length < MAX_NAMED) {
    const left = a.done ? undefined : a.value;
    const right = b.done ? undefined : b.value;
    const order = left === undefined ? 1 : right === undefined ? -1 : compare(left.key, right.key);
    if (order < 0) problems.push(`${left?.key} is in the state, and not in the log`);
    else if (order > 0) problems.push(`${right?.key} is in the log, and not in the state`);
    else if (!sameEntry(left?.entry ?? null, right?.entry ?? null))
      problems.push(`${left?.key} isn't what the log says`);
    if (order <= 0) a = await there.next();
    if (order >= 0) b = await expected.next();
  }
  return problems;
}

/** In the order the state has: of the bytes. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function verifyFolder(parts: LocalParts, { onProgress, signal }: Watching): Promise<ComputerReport["folder"]> {
  const { state, folder, reconciler, turns } = parts;
  const problems = new Set<string>();
  /** What seems to differ may be on its way: in a turn it isn't. More than can be named aren't looked at again. */
  const confirm = async (keys: readonly string[], look: (keys: readonly string[]) => Promise<string[]>) => {
    for (const slice of slices(keys, IN_A_TURN)) {
      signal?.throwIfAborted();
      if (problems.size >= MAX_NAMED) return;
      for (const problem of await turns.take(() => look(slice))) problems.add(problem);
    }
  };
  let paths = 0;
  for await (const page of state.tree()) {
    for (const slice of slices(page, AT_A_TIME)) {
      signal?.throwIfAborted();
      const looked = await folder.look(keysOf(slice), { fresh: true });
      const differing = looked.filter((one, i) => differs(one, slice[i]?.entry ?? null) !== undefined);
      await confirm(keysOf(differing), (keys) => differencesAt(parts, keys));
      paths += slice.length;
      onProgress?.({ what: "paths in the folder", done: paths });
    }
  }
  const { keys, notes } = await reconciler.scanned();
  const confirmStrangers = async (some: readonly string[]) =>
    confirm(await unknown(parts, some), (few) => strangers(parts, few));
  await confirmStrangers(keys);
  for await (const page of folder.seenKeys()) await confirmStrangers(page);
  return { ok: problems.size === 0, paths, problems: [...problems].slice(0, MAX_NAMED), notes };
}

/** How many paths are looked at while others wait, and how many while nobody does. */
const IN_A_TURN = 100;
const AT_A_TIME = 1000;

function keysOf(lines: readonly { readonly key: string }[]): string[] {
  return lines.map(({ key }) => key);
}

/** How these paths differ, in the folder, from what the state says now. */
async function differencesAt({ state, folder, reconciler }: LocalParts, keys: readonly string[]): Promise<string[]> {
  const blocked = new Map(reconciler.blocked().map(({ key, why }) => [key, why]));
  const expected = await state.entries(keys);
  const problems: string[] = [];
  for (const one of await folder.look(keys, { fresh: true })) {
    const entry = expected.get(one.key);
    const wrong = entry && differs(one, entry); // what isn't in the state any more is for the strangers
    if (wrong === undefined) continue;
    const why = blocked.get(one.key);
    problems.push(why === undefined ? `${one.key} ${wrong}` : `${one.key} ${wrong}: ${why}`);
  }
  return problems;
}

/** Those that the state knows nothing of. */
async function unknown({ state }: LocalParts, keys: readonly string[]): Promise<string[]> {
  const known = await state.entries(keys);
  return keys.filter((key) => !known.has(key));
}

/** Those that are in the folder, and that the state knows nothing of. */
async function strangers(parts: LocalParts, keys: readonly string[]): Promise<string[]> {
  const there = await parts.folder.look(await unknown(parts, keys));
  return there.filter(({ is }) => is === "entry").map(({ key }) => `${key} is in the folder, and not in the state`);
}

function differs(one: { is: string; entry?: Entry }, expected: Entry | null): string | undefined {
  if (one.is === "nothing") return "is missing in the folder";
  if (one.is !== "entry" || one.entry === undefined) return "can't be read in the folder";
  return sameEntry(one.entry, expected) ? undefined : "is something else in the folder than in the log";
}

/** Throws the state away and makes it again from the log. What a wrong one took from the folder is put back. */
export async function rebuildState(parts: LocalParts, options: Watching): Promise<{ events: number; hash: Sha256 }> {
  const { state, folder, reconciler, turns } = parts;
  await parts.opened.rebuild({ ...options, turn: (work) => turns.take(work) });
  const pending: string[] = [];
  for await (const page of state.tree()) {
    const seen = await folder.seen(keysOf(page));
    pending.push(...keysOf(page.filter(({ entry }, i) => !sameEntry(entry, seen[i] ?? null))));
  }
  if (pending.length > 0) await turns.take(() => reconciler.ready(pending, { pending: true }));
  const rebuilt = await state.freeze();
  try {
    return { events: rebuilt.seq, hash: await rebuilt.hash(options.signal) };
  } finally {
    await rebuilt.close();
  }
}
