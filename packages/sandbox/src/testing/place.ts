import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../bubblewrap/remove-tree.ts";
import { type OpenOptions, openSandbox } from "../open-sandbox.ts";
import type { Command, Ended, OverlayDirs, Running, Sandbox } from "../sandbox.ts";

/** A computer's folder, and room beside it. */
export interface Place {
  readonly folder: string;
  readonly root: string;
  readonly runDir: string;
  /** New directories for an overlay. */
  overlay(): OverlayDirs;
  remove(): Promise<void>;
}

export function makePlace(name = "choir sandbox, "): Place {
  const folder = mkdtempSync(join(tmpdir(), name));
  const root = join(folder, "root");
  for (const area of ["workspace", "artifacts", "choiros", ".choir", ".git"])
    mkdirSync(join(root, area), { recursive: true });
  writeFileSync(join(root, "workspace", "file"), "as it was\n");
  writeFileSync(join(root, ".choir", "secret"), "secret\n");
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
  let overlays = 0;
  return {
    folder,
    root,
    runDir: join(folder, "run"),
    overlay: () => {
      const [upper, work] = [join(folder, `upper-${++overlays}`), join(folder, `work-${overlays}`)];
      for (const dir of [upper, work]) mkdirSync(dir);
      return { upper, work };
    },
    remove: () => removeTree(folder),
  };
}

/** A place and its sandbox, for as long as the work takes. */
export async function withSandbox<T>(
  options: Partial<OpenOptions>,
  work: (sandbox: Sandbox, place: Place) => Promise<T>,
): Promise<T> {
  const place = makePlace();
  const sandbox = await openAt(place, options);
  try {
    return await work(sandbox, place);
  } finally {
    await sandbox.close();
    await place.remove();
  }
}

export async function openAt(place: Place, options: Partial<OpenOptions> = {}): Promise<Sandbox> {
  const opened = await openSandbox({ root: place.root, runDir: place.runDir, ...options });
  if (!opened.ok) throw new Error(opened.message);
  return opened.sandbox;
}

export interface Told extends Ended {
  readonly stdout: string;
  readonly stderr: string;
}

/** All that a command says, and how it ended. */
export async function tell(sandbox: Sandbox, command: string | Partial<Command>): Promise<Told> {
  // Whatever is given, a command line is among it.
  const whole = { folder: "live", ...(typeof command === "string" ? { shell: command } : command) } as Command;
  return finish(await sandbox.run(whole));
}

export async function finish(running: Running): Promise<Told> {
  const [stdout, stderr] = await Promise.all([text(running.stdout), text(running.stderr)]);
  return { ...(await running.ended), stdout, stderr };
}

export async function text(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
