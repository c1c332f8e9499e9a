import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesOf, type Original } from "./original.ts";
import type { Random } from "./random.ts";

/** What is done to one file of a store. */
export interface Damage {
  readonly store: "closed" | "open";
  readonly file: string;
  readonly what: { readonly cut: number } | { readonly flip: number };
  /** Who opens it afterwards. */
  readonly mode: "write" | "read";
}

export function describe({ store, file, what, mode }: Damage): string {
  const done = "cut" in what ? `the last ${what.cut} bytes of` : `bit ${what.flip % 8} of byte ${what.flip >> 3} of`;
  return `${"cut" in what ? "without" : "flipped"} ${done} ${file}, ${store}, to ${mode}`;
}

export function inflict(dir: string, { file, what }: Damage): void {
  const path = join(dir, file);
  if ("cut" in what) {
    truncateSync(path, statSync(path).size - what.cut);
    return;
  }
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(what.flip >> 3) ^ (1 << (what.flip % 8)), what.flip >> 3);
  writeFileSync(path, bytes);
}

/** A file's last bytes gone, at each `step`th point of the last page. */
export function cuts(random: Random, store: Damage["store"], file: string, step: number): Damage[] {
  const damages: Damage[] = [];
  if (step > LAST_BYTES) return damages;
  for (let cut = 1 + random.below(step); cut <= LAST_BYTES; cut += step) {
    damages.push({ store, file, what: { cut }, mode: random.pick(["write", "read"]) });
  }
  return damages;
}

const LAST_BYTES = 4096;

/** Flipped bits: half of them anywhere, half where a file has its structure and one bit changes much. */
export function flips(random: Random, originals: Originals, count: number): Damage[] {
  const targets = TARGETS.flatMap(({ store, files, weight }) => {
    const found = filesOf(originals[store].dir).filter((name) => files.test(name));
    return found.map((file) => targetOf(originals[store], store, file, weight / found.length));
  });
  return Array.from({ length: count }, () => {
    const { store, file, size, places } = weighted(random, targets);
    const byte = random.chance(0.5) ? places[random.below(places.length)] : undefined;
    const flip = 8 * (byte ?? random.below(size)) + random.below(8);
    return { store, file, what: { flip }, mode: random.pick(["write", "read"]) };
  });
}

type Originals = Readonly<Record<Damage["store"], Original>>;

const TARGETS = [
  { store: "closed", files: /^log\.sqlite$/, weight: 35 },
  { store: "open", files: /^log\.sqlite$/, weight: 10 },
  { store: "open", files: /^log\.sqlite-wal$/, weight: 25 },
  { store: "closed", files: /^contents\.sqlite$/, weight: 15 },
  { store: "open", files: /^contents\.sqlite-wal$/, weight: 7 },
  { store: "closed", files: /^contents\//, weight: 8 },
] as const;

interface Target {
  readonly store: Damage["store"];
  readonly file: string;
  readonly weight: number;
  readonly size: number;
  readonly places: readonly number[];
}

function targetOf(original: Original, store: Damage["store"], file: string, weight: number): Target {
  const bytes = readFileSync(join(original.dir, file));
  const places: number[] = [];
  const around = (from: number, length: number) => {
    for (let place = Math.max(0, from); place < Math.min(bytes.length, from + length); place++) places.push(place);
  };
  if (/\.sqlite/.test(file)) {
    // A page's header and its list of cells; in a write-ahead log what stands before the page, too.
    const frame = file.endsWith("-wal") ? 24 : 0;
    for (let page = frame > 0 ? 32 : 0; page < bytes.length; page += PAGE + frame) around(page, frame + 24);
    around(0, 100); // the file's own header
    // The last event's own hash, which the next one would follow from.
    const { hash } = original.events.at(-1) ?? { hash: "" };
    for (let at = bytes.indexOf(hash); at >= 0; at = bytes.indexOf(hash, at + 1)) around(at, 64);
    // A row's header stands before the first of its texts.
    for (const key of keysOf(original)) {
      for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) around(at - 9, 9);
    }
  }
  return { store, file, weight, size: bytes.length, places };
}

const PAGE = 4096;

function keysOf({ events, contents }: Original): string[] {
  return [...events.map(({ id }) => id), ...contents.keys()];
}

function weighted(random: Random, targets: readonly Target[]): Target {
  let left = random.next() * targets.reduce((sum, { weight }) => sum + weight, 0);
  const found = targets.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  if (found === undefined) throw new Error("there is nothing to damage");
  return found;
}
