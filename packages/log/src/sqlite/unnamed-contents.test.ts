import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentRef, Draft } from "@choiros/contract";
import { expect, onTestFinished, test } from "vitest";
import { bytesOf, sha256 } from "../testing/bytes.ts";
import { keepDiskThread } from "../testing/disk-thread.ts";
import { range } from "../testing/drafts.ts";
import { removeUnnamed, unnamedContents } from "../unnamed-contents.ts";
import { verifyContents } from "../verify-contents.ts";
import { openStore, type Store } from "./open-store.ts";

keepDiskThread();

function place(): string {
  const dir = mkdtempSync(join(tmpdir(), "choir-unnamed-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "store");
}

async function open(dir: string): Promise<Store> {
  const opened = await openStore({ dir, userId: "ada", mode: "write", create: true });
  if (!opened.ok) throw new Error(opened.message);
  onTestFinished(() => opened.store.close());
  return opened.store;
}

const note = (content: ContentRef): Draft => ({ source: "agent", type: "note.observed", payload: { content } });

/** Small and large contents by turns, all much alike, of which each second is named; one of them in a long list only. */
async function filled(dir: string, count = 40): Promise<Store> {
  const store = await open(dir);
  const common = bytesOf(200_000, 3);
  for (const i of range(1, count)) {
    const bytes = i % 4 < 2 ? bytesOf(100 + i, i) : Buffer.concat([bytesOf(70_000, i), common]);
    const content = await store.contents.put(bytes);
    if (i % 2 === 0) await store.log.append(note(content));
  }
  const listed = await store.contents.put(bytesOf(1000, 99));
  const entry = { kind: "file", mode: 0o644, ...listed };
  const lines = range(1, 150).map((i) => JSON.stringify({ after: entry, before: null, path: `workspace/f${i}` }));
  const list = await store.contents.put(Buffer.from(`[\n${lines.join(",\n")}\n]`));
  const changed = { source: "user", type: "files.changed", payload: { by: "outside", count: 150, list } };
  expect(await store.log.append(changed as Draft)).toMatchObject({ ok: true });
  return store;
}

async function unnamedIn({ log, contents }: Store) {
  const found = await unnamedContents(log, contents);
  if (!found.ok) throw new Error(found.message);
  return found.unnamed;
}

test("CON-22: what no event names is told and removed; what one names, also in a list and as one, stays", async () => {
  const store = await filled(place());
  const unnamed = await unnamedIn(store);
  expect(unnamed).toHaveLength(20);
  expect(unnamed.map(({ hash }) => hash)).toContain(sha256(bytesOf(101, 1)));
  await removeUnnamed(store.contents, unnamed);
  expect(await unnamedIn(store)).toEqual([]);
  expect(await verifyContents(store.log, store.contents)).toEqual({ ok: true, contents: 22, problems: [], pruned: 0 });
});

test("CON-22: where a list of changes is gone, nobody can know what it named, and that is said", async () => {
  const store = await filled(place(), 2);
  for await (const { payload } of store.log.read({ types: ["files.changed"] })) {
    await store.contents.drop((payload as { list: ContentRef }).list.hash);
  }
  expect(await unnamedContents(store.log, store.contents)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/list.*is gone/),
  });
});

test("CON-22: a process that removes them and is killed has removed nothing that is named; the next one goes on", async () => {
  const dir = place();
  await (await filled(dir)).close();
  for (const waits of [0, 1, 2, 3, 4, 5]) {
    const script = fileURLToPath(new URL("../testing/tidying-process.ts", import.meta.url));
    const child = fork(script, [dir], { stdio: "inherit" });
    await once(child, "message");
    for (const _ of range(1, waits * 200)) await new Promise(setImmediate); // each time a little further
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = await open(dir);
    expect(await verifyContents(store.log, store.contents)).toMatchObject({ ok: true, contents: 22, pruned: 0 });
    await store.close();
  }
  const store = await open(dir);
  await removeUnnamed(store.contents, await unnamedIn(store));
  expect(await unnamedIn(store)).toEqual([]);
  expect(await verifyContents(store.log, store.contents)).toMatchObject({ ok: true, contents: 22 });
});
