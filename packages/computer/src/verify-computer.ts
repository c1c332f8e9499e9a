import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Entry, Sha256 } from "@choiros/contract";
import type { ComputerReport, Watching } from "./computer-port.ts";
import type { LocalParts } from "./local-computer.ts";
import { sameEntry } from "./merge/merge-entries.ts";
import { openState } from "./state/open-state.ts";
import type { State } from "./state/state.ts";
import type { TreeLine } from "./state/state-rows.ts";

/** The first differences are named; more of them say nothing new. */
const MAX_NAMED = 50;

/** Holds the state against a replay of the whole log, and the folder, byte by byte, against the state. */
export async function verifyComputer(parts: LocalParts, options: Watching = {}): Promise<ComputerReport> {
  const state = await verifyState(parts, options);
  const folder = await verifyFolder(parts, options);
  return { ok: state.ok && folder.ok, state, folder };
}

/** A replay needs a place of its own, which one that was cut off leaves behind. */
const SCRATCH = "verify-";

export async function clearVerification(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (name.startsWith(SCRATCH)) await rm(join(dir, name), { recursive: true, force: true });
  }
}

async function verifyState(parts: LocalParts, options: Watching): Promise<ComputerReport["state"]> {
  const { log, contents, state, projector } = parts;
  await projector.reached((await log.head()).seq);
  const dir = await mkdtemp(join(parts.root, ".choir", SCRATCH));
  try {
    const replayed = await openState({ dir, log, contents, ...options });
    try {
      const [hash, expected] = [await state.hash(), await replayed.state.hash()];
      if (hash === expected) return { ok: true, hash, problems: [] };
      const problems = await differences(state, replayed.state);
      const hidden = "what stood earlier isn't what the log says; 'choir rebuild' makes it again";
      return { ok: false, hash, problems: problems.length > 0 ? problems : [hidden] };
    } finally {
      await replayed.close();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function differences(state: State, replayed: State): Promise<string[]> {
  const there = linesOf(state);
  const expected = linesOf(replayed);
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

async function* linesOf(state: State): AsyncGenerator<TreeLine> {
  for await (const page of state.tree()) yield* page;
}

/** In the order the state has: of the bytes. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function verifyFolder(parts: LocalParts, { onProgress, signal }: Watching): Promise<ComputerReport["folder"]> {
  const { state, folder, reconciler } = parts;
  const blocked = new Map(reconciler.blocked().map(({ key, why }) => [key, why]));
  const problems: string[] = [];
  let paths = 0;
  for await (const page of state.tree()) {
    signal?.throwIfAborted();
    const looked = await folder.look(
      page.map(({ key }) => key),
      { fresh: true },
    );
    for (const [i, one] of looked.entries()) {
      const expected = page[i]?.entry ?? null;
      const wrong = differs(one, expected);
      if (wrong === undefined) continue;
      const why = blocked.get(one.key);
      problems.push(why === undefined ? `${one.key} ${wrong}` : `${one.key} ${wrong}: ${why}`);
    }
    paths += page.length;
    onProgress?.({ what: "paths in the folder", done: paths });
  }
  const { keys, notes } = await reconciler.scanned();
  problems.push(...(await strangers(parts, keys)));
  for await (const page of folder.seenKeys()) problems.push(...(await strangers(parts, page)));
  return { ok: problems.length === 0, paths, problems: [...new Set(problems)].slice(0, MAX_NAMED), notes };
}

/** Those that are in the folder, and that the state knows nothing of. */
async function strangers({ state, folder }: LocalParts, keys: readonly string[]): Promise<string[]> {
  const known = await state.entries(keys);
  const there = await folder.look(keys.filter((key) => !known.has(key)));
  return there.filter(({ is }) => is === "entry").map(({ key }) => `${key} is in the folder, and not in the state`);
}

function differs(one: { is: string; entry?: Entry }, expected: Entry | null): string | undefined {
  if (one.is === "nothing") return "is missing in the folder";
  if (one.is !== "entry" || one.entry === undefined) return "can't be read in the folder";
  return sameEntry(one.entry, expected) ? undefined : "is something else in the folder than in the log";
}

/** Throws the state away and makes it again from the log. What a wrong one took from the folder is put back. */
export async function rebuildState(parts: LocalParts, options: Watching): Promise<{ events: number; hash: Sha256 }> {
  await parts.opened.rebuild(options);
  const { state, folder, reconciler } = parts;
  const rebuilt = { events: state.appliedSeq, hash: await state.hash() };
  const pending: string[] = [];
  for await (const page of state.tree()) {
    const seen = await folder.seen(page.map(({ key }) => key));
    pending.push(...page.filter(({ entry }, i) => !sameEntry(entry, seen[i] ?? null)).map(({ key }) => key));
  }
  await reconciler.ready(pending, { pending: true });
  return rebuilt;
}
