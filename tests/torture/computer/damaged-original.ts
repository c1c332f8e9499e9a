import { cpSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Computer } from "@choiros/computer";
import { readContent } from "../ledger.ts";
import type { ComputerOriginal } from "./damage-trial.ts";
import { open } from "./fault-acts.ts";
import { treeOf, walkFolder } from "./folder-walk.ts";

/** Enough for a snapshot when it is closed. */
const MESSAGES = 2050;

/** Two computers: `closed`, and `open` as it stands while its last work is still in the write-ahead logs. */
export async function makeOriginals(folder: string): Promise<void> {
  const closed = join(folder, "closed");
  const computer = await open(closed);
  await work(computer, "first");
  const append = (i: number) =>
    computer.log.append({ source: "user", type: "message", payload: { text: `message ${i}` } });
  await Promise.all(Array.from({ length: MESSAGES }, (_, i) => append(i)));
  await computer.stateHash(); // by now the state has them all
  await computer.close();
  const growing = join(folder, "growing");
  cpSync(closed, growing, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const again = await open(growing);
  await work(again, "second");
  const open_ = join(folder, "open");
  cpSync(growing, open_, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: isKept });
  await again.close();
  rmSync(growing, { recursive: true });
}

async function work(computer: Computer, tag: string): Promise<void> {
  for (let i = 0; i < 12; i++)
    await computer.write(`workspace/${tag}/file-${i}.txt`, Buffer.from(`${tag} ${i}\n`.repeat(20)));
  for (let i = 0; i < 12; i += 2)
    await computer.write(`workspace/${tag}/file-${i}.txt`, Buffer.from(`${tag} ${i}!\n`.repeat(20)));
  await computer.write(`workspace/${tag}/large`, Buffer.alloc(90_000, tag));
  await computer.remove(`workspace/${tag}/file-3.txt`);
  mkdirSync(join(computer.root, "artifacts", tag));
  symlinkSync("elsewhere", join(computer.root, "artifacts", tag, "link"));
  writeFileSync(join(computer.root, "artifacts", tag, "theirs.json"), `{ "tag": "${tag}" }\n`);
  await computer.capture();
  const { seq } = await computer.log.head();
  await computer.undo({ since: seq - 3 });
}

/** From a copy: not even a look may touch the original. */
export async function readOriginal(root: string, place: string): Promise<ComputerOriginal> {
  const copy = join(place, "copy");
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  const computer = await open(copy);
  const { seq: head } = await computer.log.head();
  const trees = new Map<number, ReadonlyMap<string, string>>();
  for (const at of [5, 10, 20, head - 10, head - 1, head]) trees.set(at, await treeOf(computer, at));
  const contents = new Map<string, Buffer>();
  for await (const event of computer.log.read()) {
    for (const [, hash = ""] of JSON.stringify(event.payload).matchAll(/"hash":"([0-9a-f]{64})"/g)) {
      const bytes = await readContent(computer, hash);
      if (bytes !== undefined) contents.set(hash, bytes);
    }
  }
  const original = { root, head, stateHash: await computer.stateHash(), trees, disk: walkFolder(copy), contents };
  await computer.close();
  rmSync(copy, { recursive: true });
  return original;
}

/** What a computer is made of besides its log; not who holds it, nor what SQLite makes anew. */
export function filesOf(root: string): string[] {
  const dir = join(root, ".choir");
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => isKept(name) && !name.startsWith("log.sqlite") && statSync(join(dir, name)).size > 0)
    .filter((name) => statSync(join(dir, name)).isFile())
    .sort();
}

function isKept(path: string): boolean {
  return !/writer\.(?:lock|json)|-shm$|-journal$/.test(path);
}
