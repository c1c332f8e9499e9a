import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { join } from "node:path";
import type { Measure } from "./measure.ts";
import { sizeOf } from "./p13-history-size.ts";
import { withStore } from "./stores.ts";

const VERSIONS = 15;

/** What a large file costs that is appended to and edited, each version kept: chunks against git's deltas. */
export const largeFileSize: Measure = {
  id: "P13L",
  title: `${VERSIONS} versions of a 3 MB log file: appended to, and a line put in near its start`,
  unit: "KB",
  peer: "a git repository with the same versions, after gc",
  better: "lower",
  floor: 3,
  aim: 1,

  async run(round, { folder, quick }) {
    const versions = versionsOf(quick ? 1_000_000 : 3_000_000, round);
    const [ours, peer] = [join(folder, "ours"), join(folder, "peer")];
    await withStore(ours, async ({ contents }) => {
      for (const version of versions) await contents.put(version);
    });
    commit(peer, versions);
    return { ours: sizeOf(ours) / 1000, peer: sizeOf(peer) / 1000 };
  },
};

function versionsOf(bytes: number, round: number): Buffer[] {
  const lines: string[] = [];
  for (let i = 0, size = 0; size < bytes; i++) {
    lines.push(lineOf(round, i));
    size += lines.at(-1)?.length ?? 0;
  }
  return Array.from({ length: VERSIONS }, (_, i) => {
    for (let more = 0; more < 5; more++) lines.push(lineOf(round, lines.length));
    if (i % 3 === 2) lines.splice(100 + i, 0, `a note, put in at ${i}\n`);
    return Buffer.from(lines.join(""));
  });
}

/** As a server writes them: half of it is the same in each line, the rest looks like chance. */
function lineOf(round: number, number: number): string {
  const chance = hash("sha256", `${round} ${number}`);
  return `2026-01-01T00:00:00.${number % 1000}Z info request ${chance.slice(0, 24)} handled by worker ${number % 7}\n`;
}

function commit(dir: string, versions: readonly Buffer[]): void {
  const git = (args: readonly string[], input: Buffer | string = "") =>
    execFileSync("git", [...args], { input, stdio: ["pipe", "ignore", "inherit"] });
  git(["init", "--quiet", "--template=", dir]);
  const stream = versions.flatMap((version, i) => [
    Buffer.from(`commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_700_000_000 + i} +0000\ndata 0\n`),
    Buffer.from(`M 100644 inline server.log\ndata ${version.length}\n`),
    version,
    Buffer.from("\n"),
  ]);
  git(["-C", dir, "fast-import", "--quiet"], Buffer.concat(stream));
  git(["-C", dir, "gc", "--quiet"]);
}
