import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Draft, type Entry, type Envelope, pathFromKey } from "@choiros/contract";
import { removeTree } from "@choiros/sandbox";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Computer, WriteOptions } from "../computer-port.ts";
import { type OpenComputerOptions, openComputer } from "../open-computer.ts";
import type { Done, Outcome } from "../outcome.ts";
import { computerTree, diskTree, type Tree } from "./trees.ts";

export type StageOptions = Partial<Omit<OpenComputerOptions, "root" | "userId">>;

/** A computer in a test's hands. Names are from the workspace on. */
export interface Desk {
  readonly root: string;
  readonly computer: Computer;
  /** What went wrong while nobody asked. */
  readonly trouble: readonly string[];
  /** A path for the test's own hands. */
  at(name: string): string;
  /** What somebody else does: no word to the computer. */
  outside(name: string, bytes: string | Uint8Array, mode?: number): void;
  write(name: string, bytes: string | Uint8Array, options?: WriteOptions): Promise<Done>;
  /** A text as it stands, or stood; `undefined` where there is nothing. */
  text(name: string, at?: number): Promise<string | undefined>;
  disk(): Tree;
  tree(at?: number): Promise<Tree>;
  events(): Promise<Envelope[]>;
  head(): Promise<number>;
  /**
   * An event as if the process had been gone before it landed: texts for files, `null` for what is deleted, an entry for
   * anything else. It lands with the next opening.
   */
  cutOff(changes: Readonly<Record<string, string | Entry | null>>): Promise<number>;
  close(): Promise<void>;
  /** The same computer, opened again; `meanwhile` is done while it is closed. */
  reopen(options?: StageOptions & { meanwhile?: () => void }): Promise<Desk>;
}

/** Computers for tests, closed and removed after each of them. */
export function computerStage(): (options?: StageOptions) => Promise<Desk> {
  const open = new Set<Computer>();
  const roots = new Set<string>();
  keepThreads();
  afterEach(async () => {
    await Promise.all([...open].map((computer) => computer.close()));
    for (const root of roots) await removeTree(root);
    open.clear();
    roots.clear();
  });
  const start = async (root: string, options: StageOptions): Promise<Desk> => {
    const trouble: string[] = [];
    const onTrouble = (what: string) => trouble.push(what);
    const opened = await openComputer({ root, userId: "ada", create: true, onTrouble, ...options });
    if (!opened.ok) throw new Error(opened.message);
    const { computer } = opened;
    open.add(computer);
    const close = async () => {
      open.delete(computer);
      await computer.close();
    };
    const reopen: Desk["reopen"] = async ({ meanwhile, ...more } = {}) => {
      await close();
      meanwhile?.();
      return start(root, { ...options, ...more });
    };
    return { ...handsOn(root, computer), root, computer, trouble, close, reopen };
  };
  return (options = {}) => {
    const root = mkdtempSync(join(tmpdir(), "choir-computer-"));
    roots.add(root);
    return start(root, options);
  };
}

/** As long as one computer is open the threads go on, and not each test has to start them. */
function keepThreads(): void {
  const root = mkdtempSync(join(tmpdir(), "choir-standing-"));
  let standing: Computer | undefined;
  beforeAll(async () => {
    const opened = await openComputer({ root, userId: "ada", create: true });
    standing = opened.ok ? opened.computer : undefined;
  });
  afterAll(async () => {
    await standing?.close();
    rmSync(root, { recursive: true, force: true });
  });
}

/** A folder of the test's own, removed after it. */
export function folderOfOurOwn(): () => string {
  const folders = new Set<string>();
  afterEach(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    folders.clear();
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), "choir-elsewhere-"));
    folders.add(folder);
    return folder;
  };
}

/** An action that a test counts on. */
export function done(outcome: Outcome): Done {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome;
}

function handsOn(root: string, computer: Computer): Omit<Desk, "root" | "computer" | "trouble" | "close" | "reopen"> {
  const at = (name: string) => join(root, "workspace", name);
  return {
    at,
    outside(name, bytes, mode = 0o644) {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), bytes);
      chmodSync(at(name), mode);
    },
    write: async (name, bytes, options) => done(await computer.write(`workspace/${name}`, Buffer.from(bytes), options)),
    async text(name, moment) {
      const found = await computer.read(`workspace/${name}`, moment);
      return found && Buffer.concat(await Array.fromAsync(found.bytes())).toString("utf8");
    },
    disk: () => diskTree(root),
    tree: (moment) => computerTree(computer, moment),
    events: () => Array.fromAsync(computer.log.read()),
    head: async () => (await computer.log.head()).seq,
    cutOff: (changes) => cutOff(computer, changes),
  };
}

async function cutOff(computer: Computer, changes: Parameters<Desk["cutOff"]>[0]): Promise<number> {
  const carried = [];
  for (const [name, to] of Object.entries(changes)) {
    const key = `workspace/${name}`;
    const before = (await computer.read(key))?.entry ?? null;
    const content = typeof to === "string" ? await computer.contents.put(Buffer.from(to)) : undefined;
    const after = typeof to === "string" ? content && { ...content, kind: "file" as const, mode: 0o644 } : to;
    carried.push({ path: pathFromKey(key), before, after: after ?? null });
  }
  const draft: Draft = { source: "agent", type: "files.changed", payload: { by: "command", changes: carried } };
  const appended = await computer.log.append(draft);
  if (!appended.ok) throw new Error(appended.message);
  return appended.seq;
}
