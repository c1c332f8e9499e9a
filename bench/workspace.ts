import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Computer, openComputer } from "@choiros/computer";

const PER_DIRECTORY = 100;

/** The name of a file in a workspace of many. */
export function pathOf(file: number): string {
  return `part-${Math.floor(file / PER_DIRECTORY)}/page-${file}.md`;
}

/** The bytes of a file after its nth edit. */
export function textOf(file: number, edit: number): string {
  return `# Page ${file}\n\n${`A line of page ${file}, which nobody changes.\n`.repeat(40)}\nEdit ${edit}.\n`;
}

export function makeFiles(folder: string, files: number): void {
  for (let file = 0; file < files; file++) {
    if (file % PER_DIRECTORY === 0) mkdirSync(join(folder, pathOf(file), ".."), { recursive: true });
    writeFileSync(join(folder, pathOf(file)), textOf(file, 0));
  }
}

/** A computer whose workspace is these files; closed, with all of them in its log. */
export async function makeComputer(root: string, files: number): Promise<void> {
  makeFiles(join(root, "workspace"), files);
  await withComputer(root, false, async () => {});
}

/** As in a server, where `watch` is on. */
export async function withComputer<T>(
  root: string,
  watch: boolean,
  work: (computer: Computer) => Promise<T>,
): Promise<T> {
  const opened = await openComputer({ root, userId: "bench", create: true, watch });
  if (!opened.ok) throw new Error(opened.message);
  try {
    return await work(opened.computer);
  } finally {
    await opened.computer.close();
  }
}

/** A repository of the same files, with one commit. */
export async function makeRepository(folder: string, files: number): Promise<void> {
  makeFiles(folder, files);
  await git(folder, "init", "--quiet", "--template="); // nobody's hooks
  for (const [name, value] of [
    ["user.name", "Bench"],
    ["user.email", "bench@example.org"],
    ["gc.auto", "0"], // not in the middle of a measure
  ] as const)
    await git(folder, "config", name, value);
  await commitAll(folder);
}

/** What whoever keeps an agent's work in git does after each of its actions. */
export async function commitAll(folder: string): Promise<void> {
  await git(folder, "add", "-A");
  await git(folder, "commit", "--quiet", "-m", "An edit");
}

export async function git(folder: string, ...args: string[]): Promise<void> {
  await run("git", args, { cwd: folder });
}

const run = promisify(execFile);
