import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../folder/folder.ts";

/** Run on a small disk of its own: lands more than there is room for, makes room, lands again, and prints what came of it. */
const root = process.argv[2] ?? "";
const folder = await Folder.open(root);
const bytes = (i: number) => new Uint8Array(i % 2 === 0 ? 40_000 : 150_000).fill(i + 1);
const items = Array.from({ length: 60 }, (_, i) => {
  const hash = createHash("sha256").update(bytes(i)).digest("hex");
  return {
    key: `workspace/f${i}`,
    from: null,
    to: { kind: "file" as const, hash, size: bytes(i).length, mode: 0o644 },
  };
});
const contents = new Map(items.map(({ to }, i) => [to.hash, bytes(i)]));
const read = async (hash: string) => {
  const content = contents.get(hash);
  return (
    content &&
    (async function* () {
      yield content;
    })()
  );
};
const first = await folder.land(items, { read });
const left = readdirSync(join(root, "workspace"));
rmSync(join(root, "ballast"));
const second = await folder.land(items, { read });
const whole = (await folder.look(items.map(({ key }) => key))).filter((one, i) => {
  return one.is === "entry" && one.entry.kind === "file" && one.entry.hash === items[i]?.to.hash;
});
await folder.close();
console.log(JSON.stringify({ first, left, second, whole: whole.length }));
