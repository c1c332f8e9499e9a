import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "@choiros/contract";
import type { Table } from "../thread/operations.ts";
import { type Carried, type CarryRequest, carryOver, unlock } from "./carry-over.ts";
import type { Cleared, ClearRequest } from "./clear-away.ts";
import type { Landed, LandedHere, Landing, Staged } from "./landing.ts";
import type { LayerSlice } from "./layer.ts";
import { type FoundHere, OpenFolder, SLICE_MS } from "./open-folder.ts";
import { type PathRead, readPaths } from "./read-paths.ts";
import type { Walk } from "./root.ts";
import type { Scanned } from "./scan.ts";
import type { Mark, Noted, SeenPlace } from "./seen.ts";
import { setTimes, type Timed } from "./set-times.ts";
import type { Stat } from "./stat.ts";

/** What the thread does with a computer's folder. */
export type FolderOperations = {
  "folder.open": { request: { readonly path: string }; answer: FolderOpened };
  "folder.close": { request: None; answer: undefined };
  "folder.look": {
    request: { readonly keys: readonly string[]; readonly bytes: boolean; readonly fresh?: boolean };
    answer: FoundHere[];
  };
  "folder.paths.read": { request: readonly Uint8Array[]; answer: PathRead[] };
  "folder.seen": { request: readonly string[]; answer: (Entry | undefined)[] };
  "folder.seen.page": { request: SeenPageRequest; answer: SeenPlace[] };
  "folder.note": { request: readonly Noted[]; answer: undefined };
  "folder.complete": { request: None; answer: undefined };
  "folder.mark": { request: { readonly name: Mark; readonly seq: number }; answer: undefined };
  "folder.scan.begin": { request: { readonly under: readonly string[] | undefined }; answer: number };
  "folder.scan.next": { request: number; answer: Scanned };
  "folder.scan.end": { request: number; answer: undefined };
  "folder.directories.open": { request: readonly string[]; answer: (number | undefined)[] };
  "folder.directories.in": { request: readonly string[]; answer: string[] };
  "folder.times": { request: readonly Timed[]; answer: undefined };
  "folder.directories.touched": { request: readonly string[]; answer: readonly string[] };
  "folder.land.remove": { request: readonly Landing[]; answer: LandedHere[] };
  "folder.land.directories": { request: readonly Landing[]; answer: LandedHere[] };
  "folder.land.change": { request: readonly Landing[]; answer: LandedHere[] };
  "folder.land.stage": { request: StageRequest; answer: (Staged | LandedHere)[] };
  "folder.land.place": { request: { ids: readonly string[]; checked: Stat | undefined }; answer: LandedHere[] };
  "folder.land.unstage": { request: readonly string[]; answer: undefined };
  "folder.layer.open": { request: { readonly upper: string }; answer: number };
  "folder.layer.next": { request: number; answer: LayerSlice };
  "folder.layer.unlock": {
    request: { readonly layer: number; readonly keys: readonly string[] };
    answer: ReadonlyMap<string, number>;
  };
  "folder.layer.carry": { request: CarryRequest & { readonly layer: number }; answer: Carried };
  "folder.clear": { request: ClearRequest; answer: Cleared };
  "folder.layer.close": { request: number; answer: undefined };
  "folder.move": { request: { readonly from: string; readonly to: string }; answer: Landed };
};

export interface FolderOpened {
  /** Whether a path that wasn't seen had nothing there. Not so after the cache was lost, until `setComplete`. */
  readonly complete: boolean;
  readonly marks: Readonly<Record<Mark, number>>;
  readonly notices: readonly string[];
  readonly secret: string;
}

export interface SeenPageRequest {
  readonly under: string;
  readonly after: SeenPlace | undefined;
}

export interface StageRequest {
  /** Without `bytes`: a large file, which the caller writes. */
  readonly items: readonly { readonly item: Landing; readonly bytes: Uint8Array | undefined }[];
  readonly sync: boolean;
}

type None = Record<string, never>;

const folders = new Map<number, OpenFolder>();

export const folderOperations: Table<FolderOperations> = {
  "folder.open": (target, { path }) => {
    mkdirSync(join(path, ".choir"), { recursive: true, mode: 0o700 });
    const folder = new OpenFolder(path);
    folders.set(target, folder);
    const { seen } = folder;
    const marks = { packed: seen.mark("packed"), synced: seen.mark("synced") };
    return { complete: seen.complete, marks, notices: seen.notices, secret: seen.secret };
  },
  "folder.close": (target) => {
    folders.get(target)?.close();
    folders.delete(target);
    return undefined;
  },
  "folder.look": (target, { keys, bytes, fresh }) => open(target).look(keys, bytes, fresh),
  "folder.paths.read": (_, paths) => readPaths(paths, SLICE_MS),
  "folder.seen": (target, keys) => keys.map((key) => open(target).seen.entry(key)),
  "folder.seen.page": (target, { under, after }) => open(target).seen.below(under, after, 1000),
  "folder.note": (target, items) => {
    open(target).seen.note(items);
    return undefined;
  },
  "folder.complete": (target) => {
    open(target).seen.setComplete();
    return undefined;
  },
  "folder.mark": (target, { name, seq }) => {
    open(target).seen.setMark(name, seq);
    return undefined;
  },
  "folder.scan.begin": (target, { under }) => open(target).beginScan(under),
  "folder.scan.next": (target, id) => open(target).scan(id),
  "folder.scan.end": (target, id) => {
    open(target).endScan(id);
    return undefined;
  },
  "folder.directories.open": (target, keys) => open(target).openDirectories(keys),
  "folder.directories.in": (target, keys) => open(target).directoriesIn(keys),
  "folder.times": (target, items) => {
    const { root, seen, doors } = open(target);
    root.walk((walk) => setTimes(walk, seen, items), doors);
    return undefined;
  },
  "folder.directories.touched": (target, keys) => open(target).touched(keys),
  "folder.land.remove": (target, items) => landing(target, (lander, walk) => lander.remove(walk, items)),
  "folder.land.directories": (target, items) => landing(target, (lander, walk) => lander.makeDirectories(walk, items)),
  "folder.land.change": (target, items) => landing(target, (lander, walk) => lander.changeModes(walk, items)),
  "folder.land.stage": (target, { items, sync }) =>
    landing(target, (lander, walk) => items.map(({ item, bytes }) => lander.stage(walk, item, bytes, sync))),
  "folder.land.place": (target, { ids, checked }) =>
    landing(target, (lander, walk) => lander.place(walk, ids, checked)),
  "folder.land.unstage": (target, ids) => {
    landing(target, (lander, walk) => lander.unstage(walk, ids));
    return undefined;
  },
  "folder.layer.open": (target, { upper }) => open(target).openLayer(upper),
  "folder.layer.next": (target, id) => open(target).layer(id).next(SLICE_MS),
  "folder.layer.unlock": (target, { layer, keys }) => unlock(open(target).layer(layer).root, keys),
  "folder.layer.carry": (target, { layer, ...request }) => {
    const folder = open(target);
    return carryOver(folder.layer(layer).root, folder, request, SLICE_MS);
  },
  "folder.clear": (target, request) => open(target).clearAway(request),
  "folder.layer.close": (target, id) => {
    open(target).closeLayer(id);
    return undefined;
  },
  "folder.move": (target, { from, to }) => {
    const { root, doors } = open(target);
    return landing(target, (lander, walk) => root.walk((other) => lander.moveDirectory(walk, other, from, to), doors));
  },
};

function open(target: number): OpenFolder {
  const folder = folders.get(target);
  if (folder === undefined) throw new Error("this folder is not open");
  return folder;
}

function landing<Result>(target: number, work: (lander: OpenFolder["lander"], walk: Walk) => Result): Result {
  const { root, lander, doors } = open(target);
  return root.walk((walk) => work(lander, walk), doors);
}
