import assert from "node:assert/strict";
import { truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Limits } from "../limits.ts";
import type { EngineName, Sandbox, Terminal } from "../sandbox.ts";
import type { Check } from "../testing/check.ts";
import { finish, type Told, tell, withSandbox } from "../testing/place.ts";

const MB = 1024 * 1024;

/** Ways to fill the folder that aren't plain files. */
const HIDDEN_WRITERS = [
  [
    "hides files in a closed directory",
    "mkdir d; for i in $(seq 20); do head -c 5M /dev/zero > d/$i; done; chmod 0 d; sleep 1013",
  ],
  [
    "has a closed directory beside what it writes",
    "mkdir d; chmod 0 d; for i in $(seq 20); do head -c 5M /dev/zero > $i; done; sleep 1013",
  ],
  [
    "writes to files that have no name",
    `exec node -e 'const fs = require("fs"); const block = Buffer.alloc(5e6, 1);
      for (let i = 0; i < 20; i++) { const fd = fs.openSync("f", "w"); fs.unlinkSync("f"); fs.writeSync(fd, block) }
      setInterval(() => {}, 1e6)'`,
  ],
  [
    "writes long links",
    `exec node -e 'const fs = require("fs"); const text = "x/".repeat(2000);
      for (let i = 0; ; i++) fs.symlinkSync(text, "link-" + i)'`,
  ],
] as const;

/** Ways to leave much, ended before anybody looks. */
const QUICK_WRITERS = [
  ["leaves files with holes", "for i in 1 2 3 4; do truncate -s 40M f$i; done"],
  ["leaves many files and is gone", "for i in 1 2 3 4 5 6; do head -c 10M /dev/zero > f$i; done"],
  ["has a child that came to the limit, and ends well", "dd if=/dev/zero of=a bs=1M count=300; exit 0"],
] as const;

/** Things that eat a machine. Each is stopped and its limit named, and the server doesn't grow with them. */
export const limitsSuite: readonly Check[] = [
  bomb("SBX-40: a fork bomb is ended, and the limit on processes named", "processes", {
    shell: "exec bash -c 'bomb() { bomb | bomb & }; bomb; sleep 1008'",
    limits: { processes: 64 },
  }),
  bomb("SBX-40: a fork bomb whose processes give up where they can't fork is ended and named as well", "processes", {
    shell: "exec dash -c 'bomb() { bomb | bomb & }; bomb; sleep 1008'",
    limits: { processes: 64 },
  }),
  bomb("SBX-40: processes that only wait are counted as well", "processes", {
    shell: "for i in $(seq 200); do sleep 1009 & done; sleep 1009",
    limits: { processes: 64 },
  }),
  bomb("SBX-40: threads are counted as processes", "processes", {
    shell: `exec node -e 'const { Worker } = require("worker_threads"); for (let i = 0; i < 30; i++) new Worker("setInterval(() => {}, 1e6)", { eval: true }); setTimeout(() => process.exit(), 5000)'`,
    limits: { processes: 30 },
  }),
  bomb("SBX-41: a memory hog is ended, and the limit on memory named", "memory", {
    shell: `node -e 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))'; sleep 1010`,
    limits: { memoryBytes: 200 * MB },
  }),
  bomb("SBX-41: memory is counted over all processes", "memory", {
    shell: `for i in 1 2 3 4 5 6; do node -e 'global.a = Buffer.alloc(4e7, 1); setInterval(() => {}, 1e6)' & done; sleep 1011`,
    limits: { memoryBytes: 200 * MB },
  }),
  bomb("SBX-41: memory that processes share is counted as well", "memory", {
    shell: `exec python3 -c 'import mmap, time; m = mmap.mmap(-1, 300 << 20); m.write(bytes(300 << 20)); time.sleep(3)'`,
    limits: { memoryBytes: 200 * MB },
  }),
  bomb("SBX-42: who fills /tmp is ended, and the limit on disk named", "disk", {
    shell: "dd if=/dev/zero of=/tmp/a bs=1M count=300; dd if=/dev/zero of=/tmp/b bs=1M count=300; sleep 1012",
    limits: { diskBytes: 50 * MB },
  }),
  bomb("SBX-42: who fills its home is ended as well", "disk", {
    shell: "while :; do head -c 1M /dev/zero >> ~/$(date +%N); done",
    limits: { diskBytes: 50 * MB },
  }),
  bomb("SBX-42: one file over the limit on disk is refused, and the limit named", "disk", {
    shell: "exec dd if=/dev/zero of=a bs=1M count=300",
    limits: { diskBytes: 50 * MB },
  }),
  {
    name: "SBX-42: who fills the overlay with many files is ended, and the limit on disk named",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        const shell = "i=0; while :; do i=$((i+1)); head -c 10M /dev/zero > file-$i; sleep 0.01; done";
        const command = { shell, folder: { overlay: place.overlay() }, limits: { diskBytes: 100 * MB } };
        expectLimit(await finish(await sandbox.run(command)), "disk");
      }),
  },
  {
    name: "SBX-42: who fills the folder in place is ended, and the limit on disk named",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const shell = "i=0; while :; do i=$((i+1)); head -c 10M /dev/zero > file-$i; sleep 0.01; done";
        expectLimit(await tell(sandbox, { shell, limits: { diskBytes: 100 * MB } }), "disk");
      }),
  },
  ...["live", "overlay"].flatMap((where) =>
    HIDDEN_WRITERS.map(([who, shell]) => ({
      name: `SBX-42: who ${who} is ended, and the limit on disk named (${where})`,
      run: (engine: EngineName) =>
        withSandbox({ engine }, async (sandbox, place) => {
          const folder = where === "live" ? where : { overlay: place.overlay() };
          const limits = { diskBytes: 8 * MB, timeMs: 20_000 };
          expectLimit(await finish(await sandbox.run({ shell, folder, limits })), "disk");
        }),
    })),
  ),
  ...["live", "overlay"].flatMap((where) => [
    ...QUICK_WRITERS.map(([who, shell]) => ({
      name: `SBX-42: who ${who} is told of the limit on disk when it has ended (${where})`,
      run: (engine: EngineName) =>
        withSandbox({ engine }, async (sandbox, place) => {
          const folder = where === "live" ? where : { overlay: place.overlay() };
          expectLimit(await tell(sandbox, { shell, folder, limits: { diskBytes: 50 * MB } }), "disk");
        }),
    })),
    {
      name: `SBX-42: who makes files with holes is ended while it runs, and the limit on disk named (${where})`,
      run: (engine: EngineName) =>
        withSandbox({ engine }, async (sandbox, place) => {
          const folder = where === "live" ? where : { overlay: place.overlay() };
          const shell = "for i in 1 2 3 4; do truncate -s 40M f$i; done; sleep 1014";
          const limits = { diskBytes: 50 * MB, timeMs: 20_000 };
          expectLimit(await tell(sandbox, { shell, folder, limits }), "disk");
        }),
    },
  ]),
  {
    name: "SBX-42: the limit on one file is what was said, to the byte, and that on a process's data twice it, whichever shell sets them",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const limits = { diskBytes: 50 * MB, memoryBytes: 300 * MB };
        const alone = sandbox.limitedBy === "rlimits";
        const expected = { file: 50 * MB, data: alone ? 600 * MB : Number.POSITIVE_INFINITY };
        assert.deepEqual(limitsTold(await tell(sandbox, { argv: ["cat", "/proc/self/limits"], limits })), expected);
        // A terminal's descriptor, which has to be closed, is beyond what a plain shell can close.
        const terminals = await Promise.all(Array.from({ length: 3 }, () => openTerminal(sandbox)));
        assert.deepEqual(limitsTold(await tell(sandbox, { argv: ["cat", "/proc/self/limits"], limits })), expected);
        for (const terminal of terminals) await terminal.kill();
      }),
  },
  {
    name: "SBX-42: a mode that is changed in place writes nothing, however large the file",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        const large = join(place.root, "workspace", "large");
        writeFileSync(large, "");
        truncateSync(large, 100 * MB);
        utimesSync(large, 1, 1);
        const { how, exit } = await tell(sandbox, { shell: "chmod 700 large", limits: { diskBytes: 50 * MB } });
        assert.deepEqual({ how, exit }, { how: "exited", exit: 0 });
      }),
  },
  {
    name: "SBX-42: an exit status is the command's own word, also the one by which a shell tells of a file too large",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        const folder = { overlay: place.overlay() };
        const { how, exit } = await tell(sandbox, { shell: "echo x > new; exit 153", folder });
        assert.deepEqual({ how, exit }, { how: "exited", exit: 153 });
      }),
  },
  bomb("SBX-43: who holds as many files open as it may is ended, and the limit named", "open-files", {
    shell: `exec node -e 'const fs = require("fs"); try { for (;;) fs.openSync("/dev/null") } catch {} setInterval(() => {}, 1e6)'`,
    limits: { openFiles: 100 },
  }),
  {
    name: "SBX-44: ten gigabytes of output are stopped at the limit, and the server's memory doesn't grow with them",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const before = process.memoryUsage().rss;
        const command = { argv: ["head", "-c", "10G", "/dev/zero"], limits: { outputBytes: 256 * MB } };
        const running = await sandbox.run({ ...command, folder: "live" });
        let bytes = 0;
        for await (const chunk of running.stdout) bytes += chunk.length;
        const { how, limit } = await running.ended;
        assert.deepEqual({ bytes, how, limit }, { bytes: 256 * MB, how: "limit", limit: "output" });
        assert.ok(process.memoryUsage().rss - before < 128 * MB);
      }),
  },
  {
    name: "SBX-45: a command that stays within its limits is told of none, though it comes near",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const limits = { processes: 40, memoryBytes: 500 * MB, diskBytes: 60 * MB, outputBytes: 1 * MB, openFiles: 64 };
        const shell = `for i in $(seq 20); do sleep 0.2 & done; head -c 25M /dev/zero > /tmp/a; head -c 25M /dev/zero > a
          head -c 1M /dev/zero; node -e 'Buffer.alloc(1e8, 1)'; wait`;
        const { how, exit, stdout } = await tell(sandbox, { shell, limits });
        assert.deepEqual({ how, exit, length: stdout.length }, { how: "exited", exit: 0, length: MB });
      }),
  },
];

async function openTerminal(sandbox: Sandbox): Promise<Terminal> {
  const terminal = await sandbox.pty({ shell: "echo up; exec sleep 1015", folder: "live", cols: 80, rows: 24 });
  for await (const _ of terminal.output) break;
  return terminal;
}

function limitsTold({ stdout }: Told): { file: number; data: number } {
  const soft = (name: string) =>
    Number(new RegExp(`^Max ${name} +(\\d+)`, "m").exec(stdout)?.[1] ?? Number.POSITIVE_INFINITY);
  return { file: soft("file size"), data: soft("data size") };
}

function bomb(name: string, limit: string, command: { shell: string; limits: Partial<Limits> }): Check {
  return {
    name,
    run: (engine) => withSandbox({ engine }, async (sandbox) => expectLimit(await tell(sandbox, command), limit)),
  };
}

function expectLimit({ how, exit, limit, stderr }: Told, expected: string): void {
  assert.deepEqual({ how, exit, limit }, { how: "limit", exit: null, limit: expected }, stderr.slice(0, 1000));
}
