import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type OverlayDirs, openSandbox, type Sandbox } from "@choiros/sandbox";
import { inTurns, type Measure, median, p99, timed } from "./measure.ts";

/** The least that makes a sandbox of bubblewrap: namespaces, the system's programs, nothing else. */
const BARE = [
  ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"],
  ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"],
  ...["--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
];
/** Something that takes a while, for what a sandbox costs beyond its start. */
const WORK = ["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done; ls -R /usr/share/doc > /dev/null"];

/** One command from the word to its end: on an overlay, in a control group, with a filter. */
export const sandbox: Measure = {
  id: "P9",
  title: "`true` in the sandbox, with overlay and limits",
  unit: "ms",
  peer: "bare bwrap … true",
  better: "lower",
  floor: 3,
  aim: 1.5,

  async run(round, { folder, quick }) {
    const root = join(folder, "root");
    mkdirSync(join(root, "workspace"), { recursive: true });
    const opened = await openSandbox({ root, runDir: join(folder, "run") });
    if (!opened.ok) throw new Error(opened.message);
    const inside = (argv: readonly string[]) => timed(() => runInside(opened.sandbox, argv, newOverlay(folder)));
    const bare = (argv: readonly string[]) => timed(() => run("bwrap", [...BARE, ...argv]));
    const turns = quick ? 10 : 40;
    const took = await inTurns(
      round,
      turns,
      async () => [await inside(["true"])],
      async () => [await bare(["true"])],
    );
    const [program = "", ...args] = WORK;
    const plain: number[] = [];
    const work = await inTurns(
      round,
      quick ? 3 : 10,
      async () => [await inside(WORK)],
      async () => {
        plain.push(await timed(() => run(program, args)));
        return [await bare(WORK)];
      },
    );
    await opened.sandbox.close();
    const ours = median(work.ours);
    return {
      ours: median(took.ours),
      peer: median(took.peer),
      p99: { ours: p99(took.ours), peer: p99(took.peer) },
      also: {
        "a command, ours / bwrap": { ours, peer: median(work.peer) },
        "the same, ours / bare": { ours, peer: median(plain) },
      },
    };
  },
};

let overlays = 0;

function newOverlay(folder: string): OverlayDirs {
  const [upper, work] = [join(folder, `upper-${++overlays}`), join(folder, `work-${overlays}`)];
  for (const dir of [upper, work]) mkdirSync(dir);
  return { upper, work };
}

async function runInside(sandbox: Sandbox, argv: readonly string[], overlay: OverlayDirs): Promise<void> {
  const running = await sandbox.run({ argv, folder: { overlay } });
  const { exit } = await running.ended;
  if (exit !== 0) throw new Error(`${argv.join(" ")} ended with ${exit}`);
}

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] })
      .on("error", reject)
      .on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}
