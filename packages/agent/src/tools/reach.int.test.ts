import { mkdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { controlsOf, numbersIn, type Probe, scriptOf, withoutControl } from "@choiros/sandbox/testing/probe";
import { endReach, env, place, reachProbes } from "@choiros/sandbox/testing/reach-probes";
import { afterAll, expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();
/** So many in one command: the words of one are at most 32 KB. */
const AT_ONCE = 30;

/** Where an agent's own computer keeps what it isn't to see; the control is the same place on the host. */
function ownProbes(root: string): Probe[] {
  return [
    {
      name: "read a likely secret of its workspace",
      shell: "grep -q SESAME .env",
      control: `grep -q SESAME '${root}/workspace/.env'`,
    },
    {
      name: "find the secret's text anywhere",
      shell: "grep -rq SESAME /home /tmp",
      control: `grep -rq SESAME '${root}/workspace'`,
    },
    {
      name: "see the log of the computer",
      shell: `ls /home/choir/.choir || ls '${root}/.choir'`,
    },
    { name: "see the layers of commands", shell: `ls '${root}/.choir/layers'` },
    { name: "see the server's run folder", shell: `ls '${join(root, "../../run")}'` },
    {
      name: "type into the terminal that started it",
      shell: "test -t 0 || test -t 1 || test -t 2 || (exec 3<>/dev/tty)",
      control: { none: "tests have no terminal" },
    },
  ];
}

afterAll(endReach);

test("S2, LEASE-8: of what code inside might try, nothing works through an agent's bash", async () => {
  const desk = await stage();
  const { root } = desk.computer;
  await desk.write(".env", "SESAME=1\n");
  // As the sandbox's own tests have it.
  for (const name of ["to-secret", "to-choir", "to-other", "to-root"])
    symlinkSync(readlinkSync(join(place.root, "workspace", name)), join(root, "workspace", name));
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".choir/secret"), "secret\n");
  await desk.computer.capture();
  const probes = [...reachProbes, ...ownProbes(root)];
  expect(probes.length).toBeGreaterThanOrEqual(80);
  const worked: string[] = [];
  for (let from = 0; from < probes.length; from += AT_ONCE) {
    const some = probes.slice(from, from + AT_ONCE);
    const command = `export DEVNULL=${env.DEVNULL}\n${scriptOf(some.map(({ shell }) => shell))}\necho end`;
    const { status, text } = await desk.use("bash", { command });
    expect(status, text).toBe("ok");
    expect(text).toMatch(/\nend\n$/);
    for (const i of numbersIn(text)) worked.push(some[i]?.name ?? "");
  }
  expect(worked).toEqual([]);
  const controls = controlsOf(probes, env);
  expect(withoutControl(probes, controls, "lost")).toEqual([]);
  const proved = controls.filter(({ works }) => works).length;
  const none = withoutControl(probes, controls, "all");
  expect(proved, `without a control: ${none.join(", ")}`).toBeGreaterThan(probes.length / 2);
}, 180_000);
