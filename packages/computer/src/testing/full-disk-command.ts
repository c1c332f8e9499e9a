import { readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSandbox } from "@choiros/sandbox";
import type { Computer } from "../computer-port.ts";
import { openComputer } from "../open-computer.ts";
import { diskTree } from "./trees.ts";

/** `node full-disk-command.ts DISK RUN_DIR`, on a small disk of its own: prints what came of commands that fill it. */
const [disk = "", runDir = ""] = process.argv.slice(2);
const root = join(disk, "computer");
const ballast = join(disk, "ballast");
const computer = await open();
const first = await sh(computer, "echo 1 > a");
const { bavail, bsize } = statfsSync(disk);
writeFileSync(ballast, Buffer.alloc(bavail * bsize - 3_000_000));
const errors: string[] = [];
for (const bytes of [2_500_000, 2_900_000, 1_900_000]) {
  const failed = sh(computer, `echo 2 > a; mkdir d; head -c ${bytes} /dev/urandom > d/large`);
  errors.push(await failed.then(JSON.stringify, (error: Error) => error.message));
}
const full = diskTree(root);
rmSync(ballast);
const after = await sh(computer, "echo 3 > a");
await computer.close();
const again = await open();
const unended: string[] = [];
for await (const { type, cause } of again.log.read()) {
  if (type === "tool.call") unended.push(cause?.call ?? "");
  if (type === "tool.result") unended.splice(unended.indexOf(cause?.call ?? ""), 1);
}
const layers = readdirSync(join(root, ".choir/layers"));
await again.close();
console.log(JSON.stringify({ first, errors, full, after, tree: diskTree(root), unended, layers }));

async function open(): Promise<Computer> {
  const sandbox = () => openSandbox({ root, runDir });
  const opened = await openComputer({ root, userId: "ada", create: true, sandbox });
  if (!opened.ok) throw new Error(opened.message);
  return opened.computer;
}

function sh(where: Computer, line: string): Promise<unknown> {
  return where.exec({ argv: ["/bin/sh", "-c", line] });
}
