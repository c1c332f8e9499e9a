import { join } from "node:path";
import { recognise, type UserId } from "@choiros/contract";
import { LogError, type OpenOptions, openStore, type RefusalReason, type Store } from "@choiros/log";
import type { Opened as OpenedSandbox } from "@choiros/sandbox";
import { Capture } from "./capture.ts";
import { changesOf } from "./change-list.ts";
import { Commands } from "./command/commands.ts";
import { closeInterrupted } from "./command/interrupted.ts";
import { Masks } from "./command/masks.ts";
import type { Computer } from "./computer-port.ts";
import { Folder } from "./folder/folder.ts";
import { LocalComputer } from "./local-computer.ts";
import type { Change, Progress } from "./outcome.ts";
import { Packer } from "./packer.ts";
import type { Parts } from "./parts.ts";
import { Projector } from "./projector.ts";
import type { LocalParts } from "./readable-computer.ts";
import { Reconciler } from "./reconciler.ts";
import { clearScratch, type OpenedState, openState } from "./state/open-state.ts";
import { ComputerThread } from "./thread/computer-thread.ts";
import { Turns } from "./turns.ts";

export interface OpenComputerOptions {
  /** `{home}/users/{user_id}`. */
  readonly root: string;
  readonly userId: UserId;
  /** Makes the computer where there is none. */
  readonly create?: OpenOptions["create"];
  /** Names this process to others who want to write. */
  readonly who?: string;
  readonly now?: () => Date;
  /** Takes up what others do to the folder by itself, as long as it is open. */
  readonly watch?: boolean;
  /** `false`: what others did while it was closed is left for later, and the folder as it is. */
  readonly capture?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  /** Gives up opening; afterwards it means nothing. */
  readonly signal?: AbortSignal;
  /** Hears of what goes wrong while nobody asks. */
  readonly onTrouble?: (trouble: string) => void;
  /** Opens the sandbox when the first command is to run. Without it, none runs. */
  readonly sandbox?: () => Promise<OpenedSandbox>;
  /** Hears of what was found in the folder while nobody asks, and can't be kept. */
  readonly onNote?: (note: string) => void;
}

export type OpenedComputer =
  | { readonly ok: true; readonly computer: Computer }
  | { readonly ok: false; readonly reason: RefusalReason; readonly message: string };

/** One process opens a computer at a time. When it is open, log, state and folder are alike. */
export async function openComputer(options: OpenComputerOptions): Promise<OpenedComputer> {
  const { root, userId, create = false, who, now } = options;
  const dir = join(root, ".choir");
  const chosen = { ...(who !== undefined && { who }), ...(now !== undefined && { now }) };
  const { thread } = ComputerThread.take(); // it starts while the log is opened
  const closers: (() => Promise<void>)[] = [];
  try {
    const opened = await openStore({ dir, userId, mode: "write", create, ...chosen });
    if (!opened.ok) return opened;
    closers.push(() => opened.store.close());
    return { ok: true, computer: await assemble(opened.store, dir, options, closers) };
  } catch (error) {
    for (const close of closers.reverse()) await close();
    if (error instanceof LogError && error.code === "damaged") {
      return { ok: false, reason: "damaged", message: error.message };
    }
    throw error;
  } finally {
    await thread.give();
  }
}

async function assemble(
  store: Store,
  dir: string,
  options: OpenComputerOptions,
  closers: (() => Promise<void>)[],
): Promise<Computer> {
  const {
    root,
    onProgress,
    onTrouble = () => {},
    onNote = () => {},
    signal,
    watch = false,
    capture: takeUp = true,
  } = options;
  const { log, contents } = store;
  await clearScratch(dir);
  const watching = { ...(onProgress !== undefined && { onProgress }), ...(signal !== undefined && { signal }) };
  const opened = await openState({ dir, log, contents, onTrouble, ...watching });
  closers.push(() => opened.close());
  const folder = await Folder.open(root);
  closers.push(() => folder.close());
  const { state } = opened;
  const projector = new Projector(log, contents, state);
  closers.push(() => projector.close());
  const masks = new Masks(root);
  const reconciler = new Reconciler({ log, contents, state, folder, projector, masks });
  const turns = new Turns();
  const packer = new Packer({ log, contents, folder, turns }, onTrouble);
  const parts = { log, contents, state, folder, projector, reconciler, turns, masks };
  const capture = new Capture(parts, { onTrouble, onNote });
  const notices = [...store.notices, ...opened.notices, ...folder.notices];
  if (watch) await capture.watch(); // before the scan: what changes meanwhile is told, or found
  closers.push(() => capture.close());
  const layers = join(dir, "layers");
  notices.push(...(await closeInterrupted(parts, layers)));
  const commands = new Commands({ ...parts, capture, root: options.root, layers }, options.sandbox);
  if (takeUp) notices.push(...(await recover(parts, opened, capture, options)));
  return new LocalComputer({ ...parts, root, store, packer, notices, opened }, capture, commands);
}

/** Whatever was cut off, and whatever others did meanwhile, is dealt with before anybody acts. */
async function recover(
  parts: Omit<LocalParts, "root" | "store" | "packer" | "notices" | "opened">,
  { state }: OpenedState,
  capture: Capture,
  { onProgress, signal }: OpenComputerOptions,
): Promise<readonly string[]> {
  const { folder, reconciler, turns } = parts;
  const pending = await pendingKeys(parts, state.appliedSeq);
  const { notes } = await turns.take(() => reconciler.ready(pending, { pending: true }));
  const taken = await capture.take(undefined, (done) => {
    signal?.throwIfAborted();
    onProgress?.({ what: "looking at the folder", done });
  });
  if (!folder.complete) await folder.setComplete();
  capture.retryLater();
  return [...new Set([...notes, ...taken.notes])];
}

/**
 * Every path that an event changed since the folder last had all that the log says; not only where it is something else
 * now: what was captured and undone again is in the log what it was, and in the folder not yet.
 */
async function pendingKeys({ log, contents, state, folder }: Parts, head: number): Promise<string[]> {
  const keys = new Set<string>();
  const keep = (slice: readonly Change[]) => {
    for (const change of slice) if ("key" in change) keys.add(change.key);
  };
  if (folder.synced === 0)
    for await (const slice of state.diff(0, head)) keep(slice); // nothing was ever landed
  else {
    for await (const event of log.read({ from: folder.synced + 1, to: head })) {
      const known = recognise(event);
      if (known.ok) for await (const slice of changesOf(contents, known.value)) keep(slice);
    }
  }
  return [...keys];
}
