import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ContentRef, Draft } from "@choiros/contract";
import type { Contents, Version } from "@choiros/log";
import { type Measure, sum } from "./measure.ts";
import { type Edit, project } from "./project.ts";
import { append, withStore } from "./stores.ts";

const FILES = 100;

/** What a history costs on disk: the log, with the contents packed, against git's own packs. */
export const historySize: Measure = {
  id: "P13",
  title: "history of 1,000 edits of a 100-file project",
  unit: "KB",
  peer: "a git repository with the same 1,000 commits, after gc",
  better: "lower",
  floor: 3,
  aim: 1,

  async run(round, { folder, quick }) {
    const edits = project(FILES, round + 1)
      .take(FILES + (quick ? 200 : 1000))
      .toArray();
    const [ours, peer] = [join(folder, "ours"), join(folder, "peer")];
    await keep(ours, edits);
    commit(peer, edits);
    return { ours: sizeOf(ours) / 1000, peer: sizeOf(peer) / 1000 };
  },
};

const AT_ONCE = 50;

/** As a computer does it: contents durable, then one event for each edit, and now and then what came is packed. */
async function keep(dir: string, edits: readonly Edit[]): Promise<void> {
  await withStore(dir, async ({ log, contents }) => {
    const standing = new Map<string, ContentRef>();
    for (let at = 0; at < edits.length; at += AT_ONCE) {
      const some = edits.slice(at, at + AT_ONCE);
      const refs = await Promise.all(some.map(({ text }) => contents.put(Buffer.from(text)))); // they share commits
      const changes = some.map(({ path }, i) => change(standing, path, refs[i]));
      await append(log, changes.map(draft), AT_ONCE);
      await pack(contents, changes.map(version));
    }
  });
}

function change(standing: Map<string, ContentRef>, path: string, ref: ContentRef | undefined) {
  if (ref === undefined) throw new Error(`${path} was not put`);
  const before = standing.get(path);
  standing.set(path, ref);
  return { path, before: before ? entry(before) : null, after: entry(ref) };
}

type Change = ReturnType<typeof change>;

function draft(one: Change): Draft {
  return { source: "agent", type: "file.write", payload: { changes: [one] } };
}

function version({ before, after }: Change): Version {
  return { hash: after.hash, ...(before && { former: before.hash }) };
}

async function pack(contents: Contents, versions: readonly Version[]): Promise<void> {
  for (let rest = versions; rest.length > 0; ) rest = rest.slice((await contents.pack(rest)).done);
}

function entry({ hash, size }: ContentRef) {
  return { kind: "file", hash, size, mode: 0o644 } as const;
}

/** One commit for the project, then one for each edit; loose objects, as they are when people commit, until the gc. */
function commit(dir: string, edits: readonly Edit[]): void {
  const git = (args: readonly string[], input = "") =>
    execFileSync("git", [...args], { input, stdio: ["pipe", "ignore", "inherit"] });
  git(["init", "--quiet", "--template=", dir]); // without sample hooks and the like: they are no history
  const commits = [edits.slice(0, FILES), ...edits.slice(FILES).map((edit) => [edit])];
  git(["-C", dir, "-c", "fastimport.unpackLimit=1000000", "fast-import", "--quiet"], commits.map(inStream).join(""));
  git(["-C", dir, "gc", "--quiet"]);
}

function inStream(edits: readonly Edit[], number: number): string {
  const [{ path } = { path: "" }] = edits;
  const message = edits.length > 1 ? "Begin" : `Edit ${path}`;
  return [
    `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_700_000_000 + 60 * number} +0000\ndata ${message.length}\n${message}\n`,
    ...edits.map((one) => `M 100644 inline ${one.path}\ndata ${one.text.length}\n${one.text}\n`),
    "\n",
  ].join("");
}

export function sizeOf(dir: string): number {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return sum(
    entries.filter((found) => found.isFile()).map((found) => statSync(join(found.parentPath, found.name)).size),
  );
}
