import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Entry } from "@choiros/contract";
import { afterEach } from "vitest";
import { Folder, type Looked } from "../folder/folder.ts";
import type { Landed, Landing } from "../folder/landing.ts";
import type { Scanned } from "../folder/scan.ts";

export interface Place {
  readonly root: string;
  readonly folder: Folder;
  /** A path in the workspace, for the test's own hands. */
  at(name: string): string;
  write(name: string, text: string, mode?: number): void;
  /** Everything that isn't as it was seen, captured: contents kept, then noted. */
  capture(under?: readonly string[]): Promise<Looked[]>;
  scan(under?: readonly string[]): Promise<Scanned>;
  /** The entry of a content that the test's store holds from now on. */
  file(content: string | Uint8Array, mode?: number): Entry & { kind: "file" };
  link(target: string): Entry & { kind: "link" };
  land(...items: readonly Landing[]): Promise<Landed[]>;
  /** Closed, then opened again; in between the test may do something. */
  reopen(between?: () => void): Promise<Place>;
}

export const DIR: Entry = { kind: "dir", mode: 0o755 };

/** Folders for tests, closed and removed after each of them. */
export function folderStage(): () => Promise<Place> {
  const folders = new Set<Folder>();
  const roots = new Set<string>();
  afterEach(async () => {
    await Promise.all([...folders].map((folder) => folder.close()));
    for (const root of roots) rmSync(root, { recursive: true, force: true });
    folders.clear();
    roots.clear();
  });
  const open = async (root: string): Promise<Place> => {
    const folder = await Folder.open(root);
    folders.add(folder);
    const reopen = async (between?: () => void) => {
      folders.delete(folder);
      await folder.close();
      between?.();
      return open(root);
    };
    return { ...handsOn(root, folder), reopen };
  };
  return async () => {
    const root = mkdtempSync(join(tmpdir(), "choir-folder-"));
    roots.add(root);
    return open(root);
  };
}

function handsOn(root: string, folder: Folder): Omit<Place, "reopen"> {
  const store = new Map<string, Uint8Array>();
  const keep = (bytes: Uint8Array) => {
    const hash = createHash("sha256").update(bytes).digest("hex");
    store.set(hash, bytes);
    return { hash, size: bytes.length };
  };
  const read = async (hash: string) => {
    const bytes = store.get(hash);
    return bytes && piecesOf(bytes);
  };
  const at = (name: string) => join(root, "workspace", name);
  const scan = async (under?: readonly string[]) => all(folder.scan(under === undefined ? {} : { under }));
  return {
    root,
    folder,
    at,
    scan,
    write(name, text, mode = 0o644) {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
      chmodSync(at(name), mode);
    },
    async capture(under) {
      const { keys } = await scan(under);
      const looked = await folder.look(keys, { keep: async (source) => keep(await gathered(source)) });
      await folder.note(looked);
      return looked;
    },
    file: (content, mode = 0o644) => ({ kind: "file", mode, ...keep(Buffer.from(content)) }),
    link: (target) => ({ kind: "link", mode: 0o777, ...keep(Buffer.from(target)) }),
    land: (...items) => folder.land(items, { read }),
  };
}

async function all(slices: AsyncIterable<Scanned>): Promise<Scanned> {
  const sum = {
    keys: [] as string[],
    odd: [] as { key: string; what: string }[],
    unreadable: [] as { key: string; why: string }[],
    visited: 0,
    done: false,
  };
  for await (const { keys, odd, unreadable, visited, done } of slices) {
    sum.keys.push(...keys);
    sum.odd.push(...odd);
    sum.unreadable.push(...unreadable);
    sum.visited += visited;
    sum.done = done;
  }
  return sum;
}

async function gathered(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (source instanceof Uint8Array) return source;
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 1_048_576;
  for (let at = 0; at < Math.max(bytes.length, 1); at += size) yield bytes.subarray(at, at + size);
}
