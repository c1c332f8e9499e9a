import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

// Plain JavaScript, for any Node that a machine may have: its types are told here.
const launcher = new URL("../scripts/prepare/failure.mjs", import.meta.url).href;
const { explain }: { explain(failed: string, output: string, root: string): string } = await import(launcher);

const ROOTS: [root: string, word: string][] = [
  ["/srv/choir", "/srv/choir"],
  ["/srv/my choir", "'/srv/my choir'"],
  ["/srv/$(reboot)", "'/srv/$(reboot)'"],
  ["/srv/ada's", "'/srv/ada'\\''s'"],
  ["/srv/a;b&c", "'/srv/a;b&c'"],
];

test.each(ROOTS)("a command that is to be typed names the clone %s as one word for the shell", async (root, word) => {
  const said = explain("Could not install", `npm error code EACCES\nnpm error path ${root}/node_modules`, root);
  expect(said).toContain(`sudo chown -R `);
  expect(said).toContain(` ${word}) and run the same command again`);
  const { stdout } = await promisify(execFile)("sh", ["-c", `printf %s ${word}`]);
  expect(stdout).toBe(root);
});

test("a clone in a folder with a colon in its name is refused before anything is done, for no PATH can name it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "choir-colon-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clone = join(folder, "a:b");
  await mkdir(clone);
  await cp(join(import.meta.dirname, "../scripts"), join(clone, "scripts"), { recursive: true });
  const run = promisify(execFile)(process.execPath, [join(clone, "scripts/prepare.mjs")]);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("move it to a folder without a colon in its name"),
  });
});
