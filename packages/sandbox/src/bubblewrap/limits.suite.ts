import assert from "node:assert/strict";
import type { Limits } from "../limits.ts";
import type { Check } from "../testing/check.ts";
import { finish, type Told, tell, withSandbox } from "../testing/place.ts";

const MB = 1024 * 1024;

/** Things that eat a machine. Each is stopped and its limit named, and the server doesn't grow with them. */
export const limitsSuite: readonly Check[] = [
  bomb("SBX-40: a fork bomb is ended, and the limit on processes named", "processes", {
    shell: "bomb() { bomb | bomb & }; bomb; sleep 1008",
    limits: { processes: 64 },
  }),
  bomb("SBX-40: processes that only wait are counted as well", "processes", {
    shell: "for i in $(seq 200); do sleep 1009 & done; sleep 1009",
    limits: { processes: 64 },
  }),
  bomb("SBX-41: a memory hog is ended, and the limit on memory named", "memory", {
    shell: `node -e 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))'; sleep 1010`,
    limits: { memoryBytes: 200 * MB },
  }),
  bomb("SBX-41: memory is counted over all processes", "memory", {
    shell: `for i in 1 2 3 4 5 6; do node -e 'global.a = Buffer.alloc(4e7, 1); setInterval(() => {}, 1e6)' & done; sleep 1011`,
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

function bomb(name: string, limit: string, command: { shell: string; limits: Partial<Limits> }): Check {
  return {
    name,
    run: (engine) => withSandbox({ engine }, async (sandbox) => expectLimit(await tell(sandbox, command), limit)),
  };
}

function expectLimit({ how, exit, limit, stderr }: Told, expected: string): void {
  assert.deepEqual({ how, exit, limit }, { how: "limit", exit: null, limit: expected }, stderr.slice(0, 1000));
}
