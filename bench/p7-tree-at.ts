import { execFile, execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { State } from "@choiros/computer";
import type { Entry, Envelope } from "@choiros/contract";
import { inTurns, type Measure, median } from "./measure.ts";

const DIRECTORIES = 100;

/** What a time machine asks for at each move of its slider: all paths of one past moment, with what stood there. */
export const treeAt: Measure = {
  id: "P7",
  title: "the tree at a past moment, 10,000 files, 100,000 events",
  unit: "ms",
  peer: "git ls-tree -r of a commit with these files",
  better: "lower",
  floor: 1,
  aim: 0.3,

  async prepare({ ground, quick, say }) {
    const { files, events } = sizeOf(quick);
    say(`applying ${events} events`);
    const state = await State.open({ path: join(ground, "state.sqlite") });
    let batch: { event: Envelope }[] = [];
    for (const event of eventsOf(files, events)) {
      batch.push({ event });
      if (batch.length < 1000 && event.seq < events) continue;
      await state.apply(batch);
      batch = [];
    }
    await state.close();
    const repository = join(ground, "repository");
    execFileSync("git", ["init", "--quiet", "--bare", repository]);
    execFileSync("git", ["-C", repository, "fast-import", "--quiet"], { input: commitOf(files) });
  },

  async run(round, { ground, quick }) {
    const { files, events } = sizeOf(quick);
    const repository = join(ground, "repository");
    const state = await State.open({ path: join(ground, "state.sqlite") });
    try {
      const ours = async (turn: number) => {
        const at = files + (hash("sha256", `${round} ${turn}`, "buffer").readUInt32LE() % (events - files));
        const start = performance.now();
        const lines = (await Array.fromAsync(state.tree({ at }))).flat();
        const took = performance.now() - start;
        expectAll(lines.filter(({ entry, seq }) => entry.kind === "file" && seq <= at).length, files);
        return [took];
      };
      const peer = async () => {
        const start = performance.now();
        const listed = await listTree(repository);
        const took = performance.now() - start;
        expectAll(listed.split("\n").length - 1, files);
        return [took];
      };
      const took = await inTurns(round, quick ? 5 : 20, ours, peer);
      return { ours: median(took.ours), peer: median(took.peer) };
    } finally {
      await state.close();
    }
  },
};

function sizeOf(quick: boolean) {
  return quick ? { files: 2000, events: 20_000 } : { files: 10_000, events: 100_000 };
}

function pathOf(file: number): string {
  return `workspace/part-${file % DIRECTORIES}/page-${file}.md`;
}

/** Each file once, then one of them at a time. */
function* eventsOf(files: number, events: number): Generator<Envelope> {
  for (let seq = 1; seq <= events; seq++) {
    const digest = hash("sha256", `${seq}`);
    const file = seq <= files ? seq - 1 : Number.parseInt(digest.slice(0, 8), 16) % files;
    const after: Entry = { hash: digest, kind: "file", mode: 0o644, size: seq };
    const payload = { changes: [{ after, before: null, path: pathOf(file) }] };
    const ts = new Date(seq).toISOString();
    yield { v: 1, id: `e${seq}`, seq, ts, user_id: "bench", source: "user", type: "file.write", payload, hash: digest };
  }
}

function commitOf(files: number): string {
  const paths = Array.from(
    { length: files },
    (_, file) => `M 644 inline ${pathOf(file)}\ndata 8\n${`${file}`.padEnd(8)}\n`,
  );
  return `commit refs/heads/main\ncommitter Bench <bench@example.org> 0 +0000\ndata 0\n${paths.join("")}\n`;
}

async function listTree(repository: string): Promise<string> {
  const { stdout } = await run("git", ["-C", repository, "ls-tree", "-r", "refs/heads/main"], { maxBuffer: 1 << 28 });
  return stdout;
}

const run = promisify(execFile);

/** A tree that left something out would be quick, and worth nothing. */
function expectAll(found: number, files: number): void {
  if (found !== files) throw new Error(`found ${found} of ${files} files`);
}
