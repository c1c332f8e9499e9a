import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll } from "vitest";
import type { Computer } from "../computer-port.ts";
import { openComputer } from "../open-computer.ts";

/** The threads end with the last computer of a process: with one open all the time, no command has to start them anew. */
export function keepThreads(): void {
  const root = mkdtempSync(join(tmpdir(), "choir-threads-"));
  let computer: Computer | undefined;
  beforeAll(async () => {
    const opened = await openComputer({ root, userId: "nobody", create: true });
    if (!opened.ok) throw new Error(opened.message);
    computer = opened.computer;
  });
  afterAll(async () => {
    await computer?.close();
    rmSync(root, { recursive: true, force: true });
  });
}
