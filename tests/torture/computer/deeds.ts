import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Computer, Deed, Outcome } from "@choiros/computer";
import { type Id, recognise } from "@choiros/contract";
import { type Random, randomFrom } from "../random.ts";

/** Few of each, so that those who act meet one another. */
const FOLDERS = ["workspace/a", "workspace/b", "workspace/c/deep"] as const;
const PLACES = ["workspace", ...FOLDERS, "artifacts/system"] as const;
const ADDED = ["workspace/added", "workspace/a/added", "artifacts/added"] as const;

/** What commands run on. */
export type Ground = "overlay" | "live";

/** Where things are. */
export interface Stage {
  readonly computer: Computer;
  /** A folder to be added. */
  readonly source: string;
  /** Where exports go. */
  readonly exports: string;
}

/** What is written under an id: it follows from the id alone, so that it can be tried again after a crash. */
export function plannedWrite(id: Id): { key: string; bytes: Buffer } {
  const random = randomFrom(id);
  return { key: fileIn(random, random.pick(PLACES)), bytes: bytesOf(random, id) };
}

export function retryWrite({ computer }: Stage, id: Id): Promise<Outcome> {
  const { key, bytes } = plannedWrite(id);
  return computer.write(key, bytes, { id });
}

/** One action under this id, whichever it is. */
export async function act(stage: Stage, id: Id): Promise<Outcome> {
  const { computer } = stage;
  const random = randomFrom(`${id} act`);
  const kind = random.below(100);
  if (kind < 22)
    return computer.remove(random.chance(0.3) ? random.pick(FOLDERS) : fileIn(random, random.pick(PLACES)), { id });
  if (kind < 34)
    return computer.move(fileIn(random, random.pick(PLACES)), `${fileIn(random, random.pick(PLACES))}`, { id });
  if (kind < 44) return computer.move(random.pick(FOLDERS), `workspace/moved-${random.below(3)}`, { id });
  if (kind < 51) return computer.arrange(arrangement(random), { id });
  if (kind < 58) return computer.add(stage.source, random.pick(ADDED), { id });
  if (kind < 62) return computer.remove(random.pick(ADDED), { id });
  const { seq } = await computer.log.head();
  const earlier = Math.max(1, seq - random.below(12));
  if (kind < 84)
    return computer.undo({ seq: earlier }, { id, ...(random.chance(0.5) && { choices: { all: "theirs" } }) });
  if (kind < 92) return computer.undo({ since: earlier }, { id });
  return computer.restore(random.chance(0.4) ? random.pick(FOLDERS) : fileIn(random, random.pick(PLACES)), earlier, {
    id,
  });
}

/** A folder is copied, something goes into the copy, and something else is removed: all of it, or nothing. */
function arrangement(random: Random): Deed[] {
  const copy = `workspace/moved-${random.below(3)}`;
  return [
    { copy: { from: random.pick(FOLDERS), to: copy } },
    { folder: { key: `${copy}/new/folder` } },
    { file: { key: `${copy}/new/empty` } },
    ...(random.chance(0.5) ? [{ remove: { key: random.pick(FOLDERS) } }] : []),
  ];
}

/** What a command does in the computer's root: a script that follows from the id, and bears it for whoever looks for it. */
export function commandLine(id: Id, ground: Ground): readonly string[] {
  const random = randomFrom(`${id} command`);
  const own = `workspace/run/${random.below(6)}`;
  const lines = [`: ${id}`, `mkdir -p ${own}`, `for i in 1 2 3; do echo ${id} > ${own}/$i; done`];
  // In place, what nobody took up yet would be gone for good.
  for (let count = ground === "live" ? 0 : random.below(4); count > 0; count--) {
    const [from, to] = [random.pick(FOLDERS), random.pick(FOLDERS)];
    const file = fileIn(random, random.pick(PLACES));
    const deeds = [
      `rm -rf ${from}`,
      `mv ${from} ${to}-${count}`,
      `sed -i s/line/Zeile/ ${file}`,
      `echo ${id} >> ${file}`,
    ] as const;
    lines.push(`{ ${random.pick(deeds)}; } 2> /dev/null`);
  }
  return ["/bin/sh", "-c", [...lines, `sleep 0.0${random.below(9)}`].join("\n")];
}

/** What is done besides: nothing of it changes what the log says, but for what others did. */
export async function tend(stage: Stage, id: Id): Promise<"exported" | "tended"> {
  const { computer, exports } = stage;
  const random = randomFrom(`${id} tend`);
  const kind = random.below(10);
  if (kind < 4) await computer.capture();
  else if (kind < 7) await pack(computer);
  else if (kind < 8) await computer.verify();
  else {
    await computer.exportTo(join(exports, `${id}.choir`));
    return "exported";
  }
  return "tended";
}

/** The contents of the last events, as the computer does it when nothing else is to be done. */
async function pack({ log, contents }: Computer): Promise<void> {
  const { seq } = await log.head();
  const versions: { hash: string; former?: string }[] = [];
  for await (const event of log.read({ from: Math.max(1, seq - 30) })) {
    const known = recognise(event);
    if (!known.ok || !("changes" in known.value.payload)) continue;
    for (const { before, after } of known.value.payload.changes) versions.push(...versionOf(before, after));
  }
  await contents.pack(versions);
}

function versionOf(before: unknown, after: unknown): { hash: string; former?: string }[] {
  const [former, hash] = [hashIn(before), hashIn(after)];
  if (hash === undefined || hash === former) return [];
  return [former === undefined ? { hash } : { hash, former }];
}

function hashIn(entry: unknown): string | undefined {
  return typeof entry === "object" && entry !== null && "hash" in entry ? String(entry.hash) : undefined;
}

const RACES = new Set(["ENOENT", "ENOTDIR", "EEXIST", "EISDIR"]);

export function meddledKey(id: Id): string {
  const random = randomFrom(`${id} place`);
  return `${random.pick(PLACES)}/outside-${random.below(4)}.txt`;
}

/** What somebody does past the computer, with their own hands. Says what stands there now; `null` where nothing does. */
export function meddle(root: string, id: Id): { key: string; bytes: Buffer | null } | undefined {
  const random = randomFrom(`${id} meddle`);
  const key = meddledKey(id);
  const path = join(root, key);
  const bytes = bytesOf(random, id);
  try {
    const kind = random.below(10);
    if (kind < 2) {
      rmSync(path, { force: true });
      return { key, bytes: null };
    }
    mkdirSync(dirname(path), { recursive: true });
    if (kind === 2) rmSync(path, { force: true });
    if (kind === 2) symlinkSync(`target of ${id}`, path);
    if (kind === 2) return { key, bytes: Buffer.from(`target of ${id}`) };
    if (kind < 6) writeFileSync(path, bytes);
    else {
      writeFileSync(`${path}~${id}`, bytes);
      renameSync(`${path}~${id}`, path);
    }
    return { key, bytes };
  } catch (error) {
    // Its folder went away in this very moment, or something came.
    if (error instanceof Error && "code" in error && RACES.has(String(error.code))) return undefined;
    throw error;
  }
}

function fileIn(random: Random, folder: string): string {
  return `${folder}/${random.pick(["one.txt", "two.md", "three", "ünlaut.txt"])}`;
}

function bytesOf(random: Random, id: Id): Buffer {
  const lines = Array.from({ length: 1 + random.below(20) }, (_, i) => `line ${i} ${random.chance(0.2) ? id : ""}\n`);
  const text = Buffer.from(`${id}\n${lines.join("")}`);
  return random.chance(0.06) ? Buffer.concat([text, random.bytes(70_000 + random.below(200_000))]) : text;
}
