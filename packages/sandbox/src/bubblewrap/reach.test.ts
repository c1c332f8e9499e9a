import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../sandbox.ts";
import { openAt, tell } from "../testing/place.ts";
import { controlsOf, isRoot, titleOf, withoutControl, worksInside } from "../testing/probe.ts";
import { endReach, env, place, reachProbes } from "../testing/reach-probes.ts";

let sandbox: Sandbox;
let inside: Set<number>;
const controls = controlsOf(reachProbes, env);
const titled = reachProbes.map((probe, i) => ({ title: titleOf(probe, controls[i] ?? { works: true }), i }));

beforeAll(async () => {
  sandbox = await openAt(place);
  inside = await worksInside(sandbox, reachProbes, { env });
});

afterAll(async () => {
  await sandbox?.close();
  await endReach();
});

describe("S2, SBX-21: code inside can't", () => {
  test.each(titled)("$title", ({ i }) => {
    expect(inside.has(i)).toBe(false);
  });
});

test("S2, SBX-21: all of this works where there is no sandbox, but for what the machine hasn't got", () => {
  const none = withoutControl(reachProbes, controls, "all");
  if (none.length > 0) process.stdout.write(`Without a control here:\n  ${none.join("\n  ")}\n`);
  expect(withoutControl(reachProbes, controls, "lost")).toEqual([]);
});

test.runIf(isRoot)(
  "SBX-21: what a command reads that is given nothing isn't the machine's /dev/null, whose mode it could change",
  async () => {
    const { stdout } = await tell(sandbox, "stat -L -c %d-%i /proc/self/fd/0");
    expect(stdout).toMatch(/^\d+-\d+\n$/);
    expect(stdout.trim()).not.toBe(env.DEVNULL);
  },
);

test("SBX-22: tools work inside: a shell, git, Node, and each other's pipes", async () => {
  const { stdout, exit } = await tell(sandbox, {
    shell: `set -e; cd /tmp; git init -q x; cd x; echo a > a; git add a
      git -c user.name=a -c user.email=a@b commit -qm first; git log --format=%s | tr a-z A-Z
      node -e 'console.log(6 * 7)'; id -un; date +%Z | wc -l`,
  });
  expect({ stdout, exit }).toEqual({ stdout: "FIRST\n42\nchoir\n1\n", exit: 0 });
});

test("SBX-22: the home, /tmp and shared memory can be written to, and are gone with the command", async () => {
  const write = await tell(sandbox, "touch ~/a /tmp/a /dev/shm/a && echo a > /dev/null && echo ok");
  expect(write.stdout).toBe("ok\n");
  expect((await tell(sandbox, "ls -A ~/a /tmp /dev/shm")).stdout.trim()).toBe("/dev/shm:\n\n/tmp:");
});
