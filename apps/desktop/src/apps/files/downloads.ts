import { keyBytes } from "@choiros/contract";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { outermost, partOf, shownName } from "./keys.ts";
import { Moving } from "./moving.ts";
import { crcOf, MOST_BYTES, MOST_FILES, type Packed, zipOf } from "./zip.ts";

/** One file as it is; several, or a folder, as one archive. */
export async function download(desk: DeskApi, lines: readonly FileLine[], archive: string): Promise<void> {
  const moving = new Moving("down");
  try {
    const [first] = lines;
    if (lines.length === 1 && first !== undefined && first.entry.kind !== "dir") {
      if (first.entry.size > MOST_KEPT)
        return press(await desk.files.link(first.key, { download: true }), partOf(first.key));
      moving.expect(1, first.entry.size);
      const { bytes } = await fetched(desk, first, moving);
      save(bytes, partOf(first.key));
    } else save(await packed(desk, lines, moving), `${archive}.zip`);
  } catch (error) {
    const text = moving.signal.aborted ? "The download was stopped." : sentence(error);
    desk.notify({ text, kind: moving.signal.aborted ? "said" : "wrong" });
  } finally {
    moving.end();
  }
}

/** What is larger doesn't go through this page: the browser downloads it by itself, and shows how far it is. */
const MOST_KEPT = 500_000_000;

async function packed(desk: DeskApi, lines: readonly FileLine[], moving: Moving): Promise<Blob> {
  const wanted = new Set(outermost(lines.map(({ key }) => key)));
  const found: { readonly line: FileLine; readonly path: string }[] = [];
  let total = 0;
  const look = async (line: FileLine, path: string): Promise<void> => {
    moving.signal.throwIfAborted();
    const size = line.entry.kind === "dir" ? 0 : line.entry.size;
    total += size;
    if (found.push({ line, path }) > MOST_FILES || total > MOST_BYTES)
      throw new Error("That is too much for one archive: it holds 65,535 files and 4 GB. Download it in parts.");
    moving.expect(1, size);
    if (line.entry.kind !== "dir") return;
    const inside = await desk.files.list(line.key, { signal: moving.signal });
    for (const child of inside) await look(child, `${path}/${partOf(child.key)}`);
  };
  for (const line of lines) if (wanted.has(line.key)) await look(line, partOf(line.key));
  const all: Packed[] = [];
  for (const { line, path } of found) all.push(await packedOne(desk, line, path, moving));
  return zipOf(all);
}

const FILE = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;

async function packedOne(desk: DeskApi, line: FileLine, path: string, moving: Moving): Promise<Packed> {
  const { entry, ts } = line;
  const changed = ts === undefined ? new Date() : new Date(ts);
  if (entry.kind === "dir") {
    await moving.carry(shownName(line.key), 0, async () => {});
    return { path: keyBytes(`${path}/x`).slice(0, -1), bytes: new Blob(), crc: 0, mode: FOLDER | entry.mode, changed };
  }
  const { bytes, crc } = await fetched(desk, line, moving);
  return { path: keyBytes(path), bytes, crc, mode: (entry.kind === "link" ? LINK : FILE) | entry.mode, changed };
}

function fetched(desk: DeskApi, { key, entry }: FileLine, moving: Moving): Promise<{ bytes: Blob; crc: number }> {
  const size = entry.kind === "dir" ? 0 : entry.size;
  return moving.carry(shownName(key), size, async (told) => {
    const response = await desk.files.read(key, { signal: moving.signal });
    if (response?.body === undefined || response.body === null) throw new Error(`${shownName(key)} is gone.`);
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let came = 0;
    let crc = 0;
    for await (const piece of piecesOf(response.body)) {
      pieces.push(piece);
      crc = crcOf(piece, crc);
      came += piece.length;
      told(came);
    }
    return { bytes: new Blob(pieces), crc };
  });
}

/** Not every browser can be asked for the pieces of a stream one after the other. */
async function* piecesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Into the folder where the browser puts what is downloaded. */
function save(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  press(address, name);
  setTimeout(() => URL.revokeObjectURL(address), RELEASE_MS);
}

function press(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** The browser has begun to write it by then. */
const RELEASE_MS = 60_000;
