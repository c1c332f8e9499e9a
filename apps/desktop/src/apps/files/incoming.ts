import { freeName } from "@choiros/contract";
import { keyIn } from "./keys.ts";

/** What comes from the host: a file under its path there; without one it is an empty folder. */
export interface Incoming {
  readonly path: readonly string[];
  readonly file?: File;
}

export interface Plan {
  readonly folders: readonly string[];
  readonly files: readonly { readonly key: string; readonly file: File }[];
  /** What stands in the folder afterwards that didn't before. */
  readonly tops: readonly string[];
}

/** Where each of them gets: what is dropped itself gets a name that is free, and what is within goes along. */
export function planFor(incoming: readonly Incoming[], folder: string, there: Iterable<string>): Plan {
  const taken = new Set(there);
  const tops = new Map<string, string>();
  const topOf = (name: string): string => {
    const known = tops.get(name);
    if (known !== undefined) return known;
    const key = freeName(keyIn(folder, name), taken);
    taken.add(key);
    tops.set(name, key);
    return key;
  };
  const folders: string[] = [];
  const files: { key: string; file: File }[] = [];
  for (const { path, file } of incoming) {
    const [first, ...rest] = path;
    if (first === undefined) continue;
    const key = [topOf(first), ...rest].join("/");
    if (file === undefined) folders.push(key);
    else files.push({ key, file });
  }
  return { folders, files, tops: [...tops.values()] };
}

/** What a field for files was given; of a folder, each file has its path. */
export function fromField(files: Iterable<File>): Incoming[] {
  return [...files].map((file) => ({
    path: file.webkitRelativePath === "" ? [file.name] : file.webkitRelativePath.split("/"),
    file,
  }));
}

/** What was dropped, folders with all that is in them. Has to be called before the event is over: then it is empty. */
export function fromDrop({ items, files }: DataTransfer): Promise<Incoming[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return Promise.resolve(fromField(files));
  return Promise.all(entries.map((entry) => within(entry, []))).then((all) => all.flat());
}

async function within(entry: FileSystemEntry, above: readonly string[]): Promise<Incoming[]> {
  const path = [...above, entry.name];
  if (isFile(entry)) return [{ path, file: await new Promise<File>((done, fail) => entry.file(done, fail)) }];
  if (!isFolder(entry)) return [];
  const inside: Incoming[] = [];
  for (const child of await childrenOf(entry)) inside.push(...(await within(child, path)));
  return inside.length === 0 ? [{ path }] : inside;
}

/** It gives some at a time, and none when that was all. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
