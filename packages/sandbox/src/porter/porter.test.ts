import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { Network } from "./network.ts";
import { inside } from "./testing/inside.ts";
import { descendantsOf, isRunning } from "./testing/processes.ts";

const SCRIPT = fileURLToPath(new URL("./testing/network-process.ts", import.meta.url));

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function open(egress: readonly string[] | "none" = "none"): Promise<Network> {
  const network = await Network.open({ egress, onConnection() {} });
  undo.push(() => network.close());
  return network;
}

/** The one that doesn't carry others' command lines in its own. */
function porters(): number[] {
  return [...descendantsOf(process.pid)].filter(([, line]) => line.startsWith("/node /porter.mjs")).map(([pid]) => pid);
}

/** A process of its own that has a network, once it has tried it. */
async function server(node: string, script: string, options: { uid?: number; gid?: number } = {}): Promise<Server> {
  const env = { PATH: process.env.PATH ?? "" };
  const child = spawn(node, [script], { ...options, env, stdio: ["ignore", "pipe", "inherit"] });
  undo.push(() => child.kill("SIGKILL"));
  const [line]: Buffer[] = await once(child.stdout, "data");
  return { child, report: JSON.parse(String(line)) };
}

interface Server {
  readonly child: ChildProcess;
  readonly report: unknown;
}

const WORKS = {
  allowed: "reached",
  refused: expect.stringContaining("b.test"),
  direct: 7,
  dialled: "dialled",
  told: ["a.test true", "b.test false"],
};

test("NET-17: a porter is there only while there is something to dial, and what runs inside can't see it", async () => {
  const network = await open(["a.test"]);
  expect(porters()).toEqual([]);
  await expect(network.dial(7000)).rejects.toMatchObject({ code: "refused" });
  expect(porters()).toHaveLength(1);
  const { out } = await inside(network, "cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
  expect(out).toContain("cmdline");
  expect(out).not.toContain("porter");
});

test("NET-17: a porter has no file of the machine but the system's own, no environment and no privilege", async () => {
  const network = await open();
  await expect(network.dial(7000)).rejects.toMatchObject({ code: "refused" });
  const [pid = 0] = porters();
  const root = readdirSync(`/proc/${pid}/root`).sort();
  expect(root.filter((name) => !/^lib/.test(name))).toEqual(["bin", "node", "porter.mjs", "usr"]);
  const names = readFileSync(`/proc/${pid}/environ`, "utf8").match(/[^\0=]+(?==)/g);
  expect(names?.sort()).toEqual(["NODE_CHANNEL_FD", "PWD"]);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
});

test("NET-17: a porter that is lost fails what it was asked for; the next dial has another, and the network stays", async () => {
  const network = await open(["a.test"]);
  await expect(network.dial(7000)).rejects.toMatchObject({ code: "refused" });
  const [pid = 0] = porters();
  process.kill(pid, "SIGSTOP");
  const pending = network.dial(7000);
  process.kill(pid, "SIGKILL");
  await expect(pending).rejects.toMatchObject({
    code: "start",
    message: expect.stringContaining("the porter is lost"),
  });
  await expect(network.dial(7000)).rejects.toMatchObject({ code: "refused" });
  expect(porters()).toHaveLength(1);
  expect(porters()).not.toEqual([pid]);
  expect((await inside(network, "curl -sS http://b.test/")).out).toContain("b.test:80 refused");
});

test("NET-18: closing leaves no process and no open file, and may be done twice", async () => {
  const before = readdirSync("/proc/self/fd").length;
  const network = await open(["a.test"]);
  await expect(network.dial(7000)).rejects.toMatchObject({ code: "refused" });
  await Promise.all([network.close(), network.close()]);
  expect(porters()).toEqual([]);
  expect(descendantsOf(process.pid).size).toBe(0);
  expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
});

test.each([
  ["is not there", undefined, /bwrap ENOENT/],
  [
    "may make no namespace",
    "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
    /No permissions to create/,
  ],
])("NET-18: where bwrap %s, no network is made, and the reason is told", async (_, script, why) => {
  const path = process.env.PATH ?? "";
  const dir = mkdtempSync(join(tmpdir(), "choir-porter-"));
  undo.push(() => {
    process.env.PATH = path;
    rmSync(dir, { recursive: true });
  });
  if (script !== undefined) writeFileSync(join(dir, "bwrap"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env.PATH = script === undefined ? dir : `${dir}:${path}`;
  await expect(open()).rejects.toMatchObject({ code: "start", message: expect.stringMatching(why) });
  expect(descendantsOf(process.pid).size).toBe(0);
});

test("NET-18: a server that is killed takes its porter and all that runs in its network with it", async () => {
  const { child, report } = await server(process.execPath, SCRIPT);
  expect(report).toMatchObject(WORKS);
  const below = [...descendantsOf(child.pid ?? 0)];
  expect(below.map(([, line]) => line)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^\/node \/porter\.mjs/), expect.stringContaining("listen(7000")]),
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  // They are no children of ours: nothing tells when they are gone.
  while (below.some(([pid]) => isRunning(pid))) await after(5);
});

test("NET-19: an ordinary user's networks work as root's do", async () => {
  const dir = mkdtempSync(join(tmpdir(), "choir-ordinary-"));
  undo.push(() => rmSync(dir, { recursive: true }));
  chmodSync(dir, 0o755); // whoever it is must be able to read the program, and Node
  cpSync(join(import.meta.dirname, ".."), join(dir, "src"), { recursive: true });
  writeFileSync(join(dir, "package.json"), JSON.stringify({ type: "module" }));
  copyFileSync(process.execPath, join(dir, "node"), constants.COPYFILE_FICLONE);
  const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { report } = await server(join(dir, "node"), join(dir, "src/porter/testing/network-process.ts"), ordinary);
  expect(report).toMatchObject({ ...WORKS, uid: ordinary.uid ?? process.getuid?.() });
});
