import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "../testing/check.ts";
import { finish, makePlace, openAt, tell, withSandbox } from "../testing/place.ts";

/** Commands on an overlay of the computer's folder. */
export const overlaySuite: readonly Check[] = [
  {
    name: "SBX-30: on an overlay, what a command changes is in the upper directory, and the folder itself is as it was",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        writeFileSync(join(place.root, "workspace", "gone"), "");
        const overlay = place.overlay();
        const { stdout } = await tell(sandbox, {
          shell: "echo changed > file; echo new > new; rm gone; cat file; echo a > ../artifacts/a",
          folder: { overlay },
        });
        assert.equal(stdout, "changed\n");
        assert.deepEqual(readdirSync(join(place.root, "workspace")).sort(), ["file", "gone"]);
        assert.equal(readFileSync(join(place.root, "workspace", "file"), "utf8"), "as it was\n");
        assert.deepEqual(readdirSync(join(overlay.upper, "workspace")).sort(), ["file", "gone", "new"]);
        assert.ok(lstatSync(join(overlay.upper, "workspace", "gone")).isCharacterDevice());
        assert.deepEqual(readdirSync(overlay.upper).sort(), ["artifacts", "workspace"]);
      }),
  },
  {
    name: "SBX-31: names with commas, colons, quotes, backslashes, spaces and line breaks in them make no difference to an overlay",
    run: async (engine) => {
      const place = makePlace("a,b:c\\d 'e\" \n$f,upperdir=g ");
      const sandbox = await openAt(place, { engine });
      const overlay = place.overlay();
      const { exit } = await tell(sandbox, { shell: "echo new > new", folder: { overlay } });
      await sandbox.close();
      assert.equal(exit, 0);
      assert.equal(readFileSync(join(overlay.upper, "workspace", "new"), "utf8"), "new\n");
      await place.remove();
    },
  },
  {
    name: "SBX-32: `.choir` isn't there, on an overlay or in place, nor can one be made; the root `.git` can be read",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        for (const folder of ["live", { overlay: place.overlay() }] as const) {
          const shell =
            "ls -A ..; cat ../.choir/secret; cat ../.git/HEAD; mkdir -p ../.choir && echo mine > ../.choir/secret";
          const { stdout } = await tell(sandbox, { shell, folder });
          assert.equal(stdout, ".git\nartifacts\nchoiros\nworkspace\nref: refs/heads/main\n");
          if (folder !== "live") assert.equal(existsSync(join(folder.overlay.upper, ".choir")), false);
        }
        assert.equal(readFileSync(join(place.root, ".choir", "secret"), "utf8"), "secret\n");
      }),
  },
  {
    name: "SBX-33: nothing is mounted on the host, while a command runs or after it was killed",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        const running = await sandbox.run({ shell: "echo up; sleep 1007", folder: { overlay: place.overlay() } });
        for await (const _ of running.stdout) break;
        assert.equal(mountsOf(place.folder), "");
        await running.kill();
        assert.equal(mountsOf(place.folder), "");
      }),
  },
  {
    name: "SBX-34: an overlay whose directories aren't there is told as a failure to start",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        const overlay = { upper: join(place.folder, "nowhere"), work: join(place.folder, "nowhere-else") };
        await assert.rejects(tell(sandbox, { shell: "echo ran", folder: { overlay } }), {
          code: "start",
          message: /nowhere/,
        });
      }),
  },
  {
    name: "SBX-35: something more of the host can be shown, read-only or to be written to; a link there leads nowhere else",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        const [given, taken] = [join(place.folder, "given"), join(place.folder, "taken")];
        for (const dir of [given, taken]) mkdirSync(dir);
        writeFileSync(join(given, "a"), "given\n");
        symlinkSync(join(place.root, ".choir", "secret"), join(given, "link"));
        const mounts = [
          { from: given, to: "/opt/given", write: false },
          { from: taken, to: "/opt/taken", write: true },
        ];
        const shell = "cat /opt/given/a /opt/given/link; touch /opt/given/b; echo taken > /opt/taken/a";
        const { stdout } = await tell(sandbox, { shell, mounts });
        assert.equal(stdout, "given\n");
        assert.deepEqual(readdirSync(given).sort(), ["a", "link"]);
        assert.equal(readFileSync(join(taken, "a"), "utf8"), "taken\n");
        for (const to of ["opt", "/opt/../etc"]) {
          const command = { shell: "true", folder: "live", mounts: [{ from: given, to, write: false }] } as const;
          await assert.rejects(sandbox.run(command), { code: "misuse" });
        }
      }),
  },
  {
    name: "SBX-36: a command's own output can be opened by its names",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const told = await tell(
          sandbox,
          "echo both | tee /dev/stderr; echo out > /dev/stdout; echo err > /proc/self/fd/2",
        );
        assert.deepEqual([told.stdout, told.stderr], ["both\nout\n", "both\nerr\n"]);
      }),
  },
  {
    name: "SBX-36: what one command left unread is never in another's output",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const unread = await sandbox.run({ shell: "echo first", folder: "live" });
        await unread.ended;
        assert.equal((await tell(sandbox, "echo second")).stdout, "second\n");
        assert.equal((await finish(unread)).stdout, "first\n");
        for (let i = 0; i < 5; i++) assert.equal((await tell(sandbox, `echo ${i}; echo e${i} >&2`)).stdout, `${i}\n`);
      }),
  },
  {
    name: "SBX-36: a command that takes every right from its output takes it from no other",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        await tell(sandbox, "chmod 0 /dev/stdout /dev/stderr");
        assert.equal((await tell(sandbox, "echo out")).stdout, "out\n");
      }),
  },
];

/** Of this namespace, which is the host's. Blanks are written in octal there. */
function mountsOf(folder: string): string {
  const name = folder.replaceAll(" ", "\\040");
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => line.includes(name))
    .join("\n");
}
