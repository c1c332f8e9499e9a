import { hash } from "node:crypto";
import { join } from "node:path";
import type { Draft } from "@choiros/contract";
import { openStore } from "@choiros/log";
import { type Home, rootOf } from "./home.ts";

const FILES = 1000;
const VERSIONS = 50;

/** So many events on a computer, straight into the log: writes to a thousand files, one after the other. */
export async function longHistory(home: Home, events: number): Promise<void> {
  const dir = join(rootOf(home), ".choir");
  const opened = await openStore({ dir, userId: home.user, mode: "write", create: true });
  if (!opened.ok) throw new Error(opened.message);
  const { contents, log } = opened.store;
  const versions = await Promise.all(
    Array.from({ length: VERSIONS }, async (_, i) => {
      const bytes = Buffer.from(`version ${i}${".".repeat(i)}\n`);
      await contents.put(bytes);
      return { hash: hash("sha256", bytes), kind: "file", mode: 0o644, size: bytes.length } as const;
    }),
  );
  const version = (round: number) => versions[round % VERSIONS] ?? null;
  const draft = (i: number): Draft => {
    const round = Math.floor(i / FILES);
    const before = round === 0 ? null : version(round - 1);
    const changes = [{ after: version(round), before, path: `workspace/file-${i % FILES}.txt` }];
    return { source: "user", type: "file.write", payload: { changes } };
  };
  for (let i = 0; i < events - 1; i += 1000)
    await Promise.all(Array.from({ length: Math.min(1000, events - 1 - i) }, (_, n) => log.append(draft(i + n))));
  await opened.store.close();
}
