import { createHash } from "node:crypto";
import type { Entry } from "@choiros/contract";
import { Folder } from "../folder/folder.ts";

/** A landing of many files in a process of its own, to be killed: `node landing-process.ts ROOT`. Says how far it is. */
export const COUNT = 400;

export function landings(): { items: { key: string; from: null; to: Entry }[]; contents: Map<string, Uint8Array> } {
  const contents = new Map<string, Uint8Array>();
  const items = Array.from({ length: COUNT }, (_, i) => {
    const bytes = Buffer.from(`text ${i} `.repeat(i % 200));
    const hash = createHash("sha256").update(bytes).digest("hex");
    contents.set(hash, bytes);
    return { key: `workspace/f${i}`, from: null, to: { kind: "file", hash, size: bytes.length, mode: 0o644 } as const };
  });
  return { items, contents };
}

export async function landAll(folder: Folder, onProgress: (landed: number) => void) {
  const { items, contents } = landings();
  const read = async (hash: string) => piece(contents.get(hash));
  return folder.land(items, { read, onProgress });
}

function piece(bytes: Uint8Array | undefined): AsyncIterable<Uint8Array> | undefined {
  if (bytes === undefined) return undefined;
  return (async function* () {
    yield bytes;
  })();
}

if (process.argv[1] === import.meta.filename) {
  const folder = await Folder.open(process.argv[2] ?? "");
  process.stdout.write("open\n");
  await landAll(folder, (landed) => process.stdout.write(`${landed}\n`));
  await folder.close();
}
