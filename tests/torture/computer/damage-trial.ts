import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Computer, openComputer } from "@choiros/computer";
import { LogError, verifyContents } from "@choiros/log";
import { hold } from "../promise.ts";
import { difference, treeOf, walkFolder } from "./folder-walk.ts";

/** What is done to one file of a computer, in `.choir`. */
export interface ComputerDamage {
  readonly computer: "closed" | "open";
  readonly file: string;
  readonly what: { readonly cut: number } | { readonly flip: number };
}

/** `later`: nobody notices while it works, but whoever verifies is told. */
export type ComputerOutcome = "found" | "later" | "harmless";

type Tree = ReadonlyMap<string, string>;

/** A computer before it was damaged, and everything that is in it. */
export interface ComputerOriginal {
  readonly root: string;
  readonly head: number;
  readonly stateHash: string;
  /** The tree after some of the events. */
  readonly trees: ReadonlyMap<number, Tree>;
  readonly disk: Tree;
  readonly contents: ReadonlyMap<string, Buffer>;
}

export function describeDamage({ computer, file, what }: ComputerDamage): string {
  const done =
    "cut" in what ? `without the last ${what.cut} bytes` : `bit ${what.flip % 8} of byte ${what.flip >> 3} flipped`;
  return `${file}, ${computer}, ${done}`;
}

/** Damages a copy of a computer, opens it, and holds what it then says and gives out against the original. */
export async function tryDamage(
  original: ComputerOriginal,
  damage: ComputerDamage,
  root: string,
): Promise<ComputerOutcome> {
  cpSync(original.root, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  inflict(join(root, ".choir"), damage);
  const outcome = await judge(original, damage, root);
  const wrong = difference(walkFolder(root), original.disk);
  hold(wrong === undefined, () => `in the folder ${wrong}`);
  rmSync(root, { recursive: true }); // where it failed, it is left to be looked at
  return outcome;
}

function inflict(dir: string, { file, what }: ComputerDamage): void {
  const path = join(dir, file);
  // A snapshot counts only where there is no state.
  if (file.startsWith("snapshots/"))
    for (const end of ["", "-wal", "-shm"]) rmSync(join(dir, `state.sqlite${end}`), { force: true });
  if ("cut" in what) {
    truncateSync(path, Math.max(0, statSync(path).size - what.cut));
    return;
  }
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(what.flip >> 3) ^ (1 << (what.flip % 8)), what.flip >> 3);
  writeFileSync(path, bytes);
}

async function judge(original: ComputerOriginal, damage: ComputerDamage, root: string): Promise<ComputerOutcome> {
  const opened = await openComputer({ root, userId: "ada", who: "torture" }).catch((error: unknown) => {
    hold(
      isOwn(error),
      () => `opening fails with an error that is not its own: ${error instanceof Error ? error.stack : error}`,
    );
    return undefined;
  });
  const derived = /^(?:state|seen|snapshots)/.test(damage.file);
  if (opened === undefined || !opened.ok) {
    hold(
      !derived,
      () => `what is made from the log keeps it from opening: ${opened?.ok === false ? opened.message : "it threw"}`,
    );
    return "found";
  }
  const { computer } = opened;
  try {
    return await examine(original, computer, derived);
  } finally {
    await computer.close().catch((error: unknown) => hold(isOwn(error), () => `closing fails: ${error}`));
  }
}

async function examine(original: ComputerOriginal, computer: Computer, derived: boolean): Promise<ComputerOutcome> {
  const { seq } = await computer.log.head();
  hold(seq === original.head, () => `nobody did anything, and the log went from ${original.head} to ${seq}`);
  const said = computer.notices.length > 0;
  const trees = await noticed(() => wrongTree(original, computer));
  const bytes = derived ? undefined : await noticed(() => wrongBytes(original, computer));
  const report = await noticed(() => computer.verify());
  const contents = await noticed(() => verifyContents(computer.log, computer.contents));
  const told = report === "error" || !report.ok || contents === "error" || !contents.ok;
  const error = trees === "error" || bytes === "error";
  hold(trees === undefined || error || told || said, () => `it is wrong without a word: ${trees}`);
  hold(bytes === undefined || bytes === "error", () => `wrong bytes are given out: ${bytes}`);
  if (derived) await checkRebuild(original, computer);
  if (error || said) return "found";
  return told ? "later" : "harmless";
}

/** Where the log is whole, everything that is made from it can be made again. */
async function checkRebuild(original: ComputerOriginal, computer: Computer): Promise<void> {
  const { hash } = await computer.rebuild();
  hold(hash === original.stateHash, "rebuilt from a whole log, the state is another one");
  const wrong = await wrongTree(original, computer);
  hold(wrong === undefined, () => `rebuilt from a whole log, ${wrong}`);
  const report = await computer.verify();
  hold(report.ok, () => `after a rebuild verify finds: ${[...report.state.problems, ...report.folder.problems][0]}`);
}

async function wrongTree({ trees }: ComputerOriginal, computer: Computer): Promise<string | undefined> {
  for (const [at, tree] of trees) {
    const wrong = difference(await treeOf(computer, at), tree);
    if (wrong !== undefined) return `at ${at} ${wrong}`;
  }
  return undefined;
}

/** Each content is given out as it was, or an error says that it isn't. */
async function wrongBytes({ contents }: ComputerOriginal, { contents: store }: Computer): Promise<string | undefined> {
  let lost: unknown;
  for (const [hash, bytes] of contents) {
    try {
      const got = await store.get(hash);
      if (got === undefined) lost ??= new LogError("damaged", `${hash} is not there`);
      else if (!Buffer.concat(await Array.fromAsync(got)).equals(bytes)) return hash;
    } catch (error) {
      lost ??= error;
    }
  }
  if (lost !== undefined) throw lost;
  return undefined;
}

/** What comes out, or that it said what is wrong; any other error is a fault of its own. */
async function noticed<T>(work: () => Promise<T>): Promise<T | "error"> {
  try {
    return await work();
  } catch (error) {
    hold(
      isOwn(error),
      () => `it fails with an error that is not its own: ${error instanceof Error ? error.stack : error}`,
    );
    return "error";
  }
}

function isOwn(error: unknown): boolean {
  return error instanceof LogError || (error instanceof Error && error.name === "FolderError");
}
