import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { format, type Result } from "./measure.ts";

/** On what a run was made. */
export interface Origin {
  readonly date: Date;
  readonly commit: string;
  readonly node: string;
}

const HEADER = `# What was measured

One line for each \`npm run bench\`. Only ratios, for times mean nothing on another machine.

- **commit**: the one that was measured; with a \`+\`, it and changes that weren't committed.
- **node**: its version.
- **others**: how many cores other processes kept busy meanwhile. Threads that have to wait for a core look slow: where
  this isn't near 0, the line says little.
- **ratios**: ours ÷ peer, the median of the rounds, for each measure by its id; where floor and aim have a unit, the
  figure itself. In brackets p99 ÷ the peer's p99, of times, so that there less is better. \`!\`: the floor was not met.

| date | commit | node | others | ratios |
| --- | --- | --- | --- | --- |
`;

export function historyLine(origin: Origin, others: number, results: readonly Result[]): string {
  const { date, commit, node } = origin;
  const day = date.toISOString().slice(0, 16).replace("T", " ");
  return `| ${day} | ${commit} | ${node} | ${others.toFixed(1)} | ${results.map(entry).join(", ")} |`;
}

export function addToHistory(path: string, line: string): void {
  if (!existsSync(path)) writeFileSync(path, HEADER);
  appendFileSync(path, `${line}\n`);
}

export function originOf(root: string): Origin {
  return { date: new Date(), commit: commitOf(root), node: process.version };
}

function entry({ measure, ours, ratio, p99, verdict }: Result): string {
  const figure = measure.judged === "ours" ? `${format(ours)} ${measure.unit}` : format(ratio);
  const tail = p99 === undefined ? "" : ` (${format(p99.ours / p99.peer)})`;
  return `${measure.id} ${figure}${tail}${verdict === "not met" ? " !" : ""}`;
}

function commitOf(root: string): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    // The history itself changes with each run: that is no change of what is measured.
    const changed = git("status", "--porcelain", "--", ".", ":!bench/results.md") !== "";
    return git("rev-parse", "--short", "HEAD") + (changed ? "+" : "");
  } catch {
    return "none"; // no git, or nothing committed yet: then there is no hash to write down
  }
}
