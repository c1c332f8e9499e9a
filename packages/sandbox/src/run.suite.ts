import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, EngineName } from "./sandbox.ts";
import type { Check } from "./testing/check.ts";
import { finish, tell, text, withSandbox } from "./testing/place.ts";

/** What every engine promises of commands. */
export const runSuite: readonly Check[] = [
  {
    name: "SBX-1: what a command writes is streamed as it comes, stdout and stderr apart, and its exit status is told",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const told = await tell(sandbox, "echo out; echo err >&2; exit 3");
        assert.deepEqual(told, { stdout: "out\n", stderr: "err\n", how: "exited", exit: 3, engine });
        const crashed = await tell(sandbox, "kill -SEGV $$");
        assert.deepEqual([crashed.how, crashed.exit, crashed.signal], ["exited", 139, "SIGSEGV"]);
        const running = await sandbox.run({ shell: "echo first; exec sleep 100", folder: "live" });
        for await (const chunk of running.stdout) {
          assert.equal(Buffer.from(chunk).toString(), "first\n");
          break;
        }
        await running.kill();
      }),
  },
  {
    name: "SBX-1: what nobody has read yet is still there when the command has ended",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const running = await sandbox.run({ shell: "echo out; echo err >&2", folder: "live" });
        await running.ended;
        assert.equal(await text(running.stdout), "out\n");
        assert.equal(await text(running.stderr), "err\n");
      }),
  },
  {
    name: "SBX-2: the words of a command reach it as they are; a line for the shell is its own matter",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const words = ["a b", "$HOME", "'\"", "*", "", "-x", "é\n"];
        const { stdout } = await tell(sandbox, { argv: ["printf", "<%s>", ...words] });
        assert.equal(stdout, words.map((word) => `<${word}>`).join(""));
        assert.equal((await tell(sandbox, "printf %s a | tr a b")).stdout, "b");
      }),
  },
  {
    name: "SBX-2: a command without words, or with a zero byte in one, is refused as misuse",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        for (const argv of [[], ["a\0b"]])
          await assert.rejects(sandbox.run({ argv, folder: "live" }), { code: "misuse" });
      }),
  },
  {
    name: "SBX-3: a command reads what it is given to its end, and nothing where it is given nothing",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const block = Buffer.alloc(64 * 1024, "x");
        const stdin = (async function* () {
          for (let i = 0; i < 64; i++) yield block;
        })();
        assert.equal((await tell(sandbox, { shell: "wc -c", stdin })).stdout.trim(), String(64 * block.length));
        assert.equal((await tell(sandbox, "wc -c")).stdout.trim(), "0");
        const unread = (async function* () {
          for (let i = 0; i < 64; i++) yield block;
        })();
        assert.equal((await tell(sandbox, { argv: ["true"], stdin: unread })).exit, 0);
      }),
  },
  {
    name: "SBX-4: a command begins in the workspace, or where it is told in the computer's folder, and nowhere else",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        assert.match((await tell(sandbox, "pwd")).stdout, /\/workspace\n$/);
        assert.match((await tell(sandbox, { shell: "pwd", cwd: "artifacts" })).stdout, /\/artifacts\n$/);
        for (const cwd of ["..", "/etc", "workspace/../..", "/home/choirs"]) {
          await assert.rejects(sandbox.run({ shell: "pwd", cwd, folder: "live" }), { code: "misuse" }, cwd);
        }
      }),
  },
  {
    name: "SBX-5: a command's environment is a fixed one and what it is given; nothing of the server's is in it",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        process.env.CHOIR_SECRET = "secret";
        const { stdout } = await tell(sandbox, { argv: ["env"], env: { GIVEN: "a=b\nc", EMPTY: "" } });
        assert.match(stdout, /^GIVEN=a=b\nc$/m);
        assert.match(stdout, /^EMPTY=$/m);
        const names = [...stdout.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
        const marked = engine === "unsafe" ? ["CHOIR_COMMAND"] : [];
        const fixed = [...marked, "EMPTY", "GIVEN", "HOME", "LANG", "PATH", "PWD", "TERM", "TMPDIR", "USER"];
        assert.deepEqual(
          names.filter((name) => !fixed.includes(name ?? "")),
          [],
        );
      }),
  },
  {
    name: "SBX-6: a program that isn't there ends as in a shell, with 127",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const { how, exit } = await tell(sandbox, { argv: ["no-such-program"] });
        assert.deepEqual({ how, exit }, { how: "exited", exit: 127 });
      }),
  },
  {
    name: "SBX-6: what is there and can't be run ends as in a shell, with 126, and with why",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        writeFileSync(join(place.root, "workspace", "text"), "no program\n", { mode: 0o644 });
        for (const program of ["./text", "/"]) {
          const { how, exit, stderr } = await tell(sandbox, { argv: [program] });
          assert.deepEqual({ how, exit }, { how: "exited", exit: 126 }, stderr);
          assert.match(stderr, /permission denied\n$/i);
        }
      }),
  },
  {
    name: "SBX-7: kill ends the whole tree, whatever signals it ignores, and resolves when nothing of it runs",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        const command: Command = {
          shell:
            "trap '' TERM INT HUP; sleep 1001 & (sleep 1001 &) ; echo x > beat; echo up; while :; do echo x >> beat; sleep 0.01; done",
          folder: "live",
        };
        const running = await sandbox.run(command);
        for await (const _ of running.stdout) break;
        await running.kill();
        assert.deepEqual(await running.ended, { how: "killed", exit: null, engine });
        const beats = readFileSync(join(place.root, "workspace", "beat"), "utf8").length;
        await tell(sandbox, "sleep 0.1");
        assert.equal(readFileSync(join(place.root, "workspace", "beat"), "utf8").length, beats);
      }),
  },
  {
    name: "SBX-8: what a command leaves running ends with it",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        const beat = join(place.root, "workspace", "beat");
        writeFileSync(beat, "");
        await tell(sandbox, "(while :; do echo x >> beat; sleep 0.01; done) >&2 & while [ ! -s beat ]; do :; done");
        const beats = readFileSync(beat, "utf8").length;
        await tell(sandbox, "sleep 0.1");
        assert.equal(readFileSync(beat, "utf8").length, beats);
      }),
  },
  {
    name: "SBX-8: what leaves the command's session ends with it all the same",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        const beat = join(place.root, "workspace", "beat");
        writeFileSync(beat, "");
        const away = "setsid sh -c 'while :; do echo x >> beat; sleep 0.01; done'";
        const { stdout } = await tell(sandbox, `${away} & while [ ! -s beat ]; do :; done; echo bg`);
        assert.equal(stdout, "bg\n");
        const beats = readFileSync(beat, "utf8").length;
        await tell(sandbox, "sleep 0.1");
        assert.equal(readFileSync(beat, "utf8").length, beats);
      }),
  },
  {
    name: "SBX-8: output ends with the command, whoever still holds it",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        // It waits for the end of the folder, and can be known by nothing.
        const away = "setsid env -i sh -c 'echo > up; while [ -e up ]; do sleep 0.05; done'";
        const shell = `head -c 300000 /dev/zero; ${away} & while [ ! -s up ]; do :; done; echo bg`;
        const { how, stdout } = await tell(sandbox, shell);
        assert.deepEqual({ how, length: stdout.length }, { how: "exited", length: 300_003 });
      }),
  },
  ...["while [ -e up ]; do echo noise; sleep 0.05; done", "while [ -e up ]; do echo noise; done"].map((noise) => ({
    name: `SBX-8: output ends with the command, though whoever holds it goes on writing: ${noise}`,
    run: (engine: EngineName) =>
      withSandbox({ engine }, async (sandbox) => {
        const away = `setsid env -i sh -c 'echo > up; ${noise}'`;
        const shell = `head -c 300000 /dev/zero; ${away} & while [ ! -s up ]; do :; done; echo bg`;
        const { how, stdout } = await tell(sandbox, shell);
        assert.equal(how, "exited");
        assert.match(stdout.slice(300_000), /^(noise\n)*bg\n/);
      }),
  })),
  {
    name: "SBX-17: what a command makes others may read, as usual, whatever the server keeps to itself",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const before = process.umask(0o077);
        try {
          assert.equal((await tell(sandbox, "touch f; mkdir d; stat -c %a f d; umask")).stdout, "644\n755\n0022\n");
          const terminal = await sandbox.pty({ shell: "umask", folder: "live", cols: 80, rows: 24 });
          assert.equal((await text(terminal.output)).trim(), "0022");
        } finally {
          process.umask(before);
        }
      }),
  },
  {
    name: "SBX-9: a command that takes longer than its time is ended, and the limit is named",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const told = await tell(sandbox, { shell: "echo x; sleep 1002", timeoutMs: 1000 });
        assert.deepEqual(told, { stdout: "x\n", stderr: "", how: "limit", limit: "time", exit: null, engine });
      }),
  },
  {
    name: "SBX-10: a command that writes more than its limit is ended and the limit named; what is given out stops there",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const { stdout, how, limit } = await tell(sandbox, { argv: ["yes"], limits: { outputBytes: 100_000 } });
        assert.deepEqual({ length: stdout.length, how, limit }, { length: 100_000, how: "limit", limit: "output" });
        const both = await tell(sandbox, { shell: "yes & yes >&2", limits: { outputBytes: 100_000 } });
        assert.equal(both.stdout.length + both.stderr.length, 100_000);
      }),
  },
  {
    name: "SBX-11: while nobody reads, a command waits, and its output doesn't pile up here",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const before = process.memoryUsage().rss;
        const tenGigabytes = {
          argv: ["head", "-c", "10G", "/dev/zero"],
          limits: { outputBytes: Number.POSITIVE_INFINITY },
        };
        const running = await sandbox.run({ ...tenGigabytes, folder: "live" });
        await tell(sandbox, "sleep 0.3");
        assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024);
        await running.kill();
      }),
  },
  {
    name: "SBX-12: close ends everything, and nothing can be started afterwards",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const running = await sandbox.run({ shell: "sleep 1003", folder: "live" });
        await sandbox.close();
        assert.equal((await running.ended).how, "killed");
        await assert.rejects(sandbox.run({ shell: "true", folder: "live" }), { code: "closed" });
      }),
  },
  {
    name: "SBX-13: several commands run at the same time and know nothing of each other",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const one = async (i: number) =>
          finish(await sandbox.run({ shell: `sleep 0.0${i}; echo ${i}; exit ${i}`, folder: "live" }));
        const all = await Promise.all([1, 2, 3, 4, 5].map(one));
        assert.deepEqual(
          all.map(({ stdout, exit }) => `${stdout.trim()} ${exit}`),
          ["1 1", "2 2", "3 3", "4 4", "5 5"],
        );
      }),
  },
];
