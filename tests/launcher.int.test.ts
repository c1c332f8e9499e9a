import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machineNode, makeClone } from "./launcher/clone.ts";

const OWN_NPM = { npm_execpath: undefined };

test.runIf(machineNode.isOld)("a fresh clone gets its own Node where the machine's is too old", async () => {
  const clone = await makeClone();
  const start = clone.start("scripts/run", ["node", "--version"]);
  const installOfNode = await clone.npm.next();
  await start.said("Installing Node 24.21.0: ChoirOS needs Node 24 or newer, this machine has ");
  expect(installOfNode.args).toEqual(expect.arrayContaining(["ci", "--ignore-scripts"]));
  installOfNode.succeed();
  const installOfTheRest = await clone.npm.next();
  expect(installOfTheRest).toMatchObject({ cwd: clone.root, node: process.version });
  installOfTheRest.succeed();
  expect(await start.ended).toMatchObject({ code: 0, stdout: `${process.version}\n` });
});

test("npm and its install scripts run on the Node that the commands run on", async () => {
  const clone = await makeClone();
  await clone.prepare();
  rmSync(join(clone.root, "node_modules"), { recursive: true });
  const { code, stderr } = await clone.start("scripts/run", ["true"], { env: OWN_NPM }).ended;
  expect(stderr).toMatch(
    /^Installing dependencies: this clone has none yet\nInstalling dependencies: done in \d+ s\n$/,
  );
  expect(code).toBe(0);
  expect(readFileSync(join(clone.root, "installed-with.txt"), "utf8")).toBe(`${process.version}\n`);
});

test("where everything is in place a start says nothing and installs nothing", async () => {
  const clone = await makeClone();
  await clone.prepare();
  const before = clone.npm.runs.length;
  const ending = await clone.start("scripts/run", ["echo", "hello"]).ended;
  expect(ending).toEqual({ code: 0, signal: null, stdout: "hello\n", stderr: "" });
  expect(clone.npm.runs).toHaveLength(before);
});

test("dependencies are installed again when the lockfile changed, and only then", async () => {
  const clone = await makeClone();
  await clone.prepare();
  clone.changeLockfile();
  const start = clone.start("scripts/run", ["true"]);
  (await clone.npm.next()).succeed();
  expect((await start.ended).stderr).toContain("package-lock.json changed since the last install");
  expect((await clone.start("scripts/run", ["true"]).ended).stderr).toBe("");
});

test("an install that was killed is made again by the next start", async () => {
  const clone = await makeClone();
  await clone.prepare();
  clone.changeLockfile();
  const killed = clone.start("scripts/run", ["true"]);
  const leftOver = await clone.npm.next();
  process.kill(-killed.pid, "SIGKILL");
  await killed.ended;

  // The killed start left an npm behind. Two of them in one folder would ruin each other's work.
  const next = clone.start("scripts/run", ["true"]);
  await next.said("is already preparing this clone");
  leftOver.succeed();
  (await clone.npm.next()).succeed();
  expect(await next.ended).toMatchObject({ code: 0 });
  expect((await next.ended).stderr).toContain("no earlier start completed them");
});

test("Ctrl-C ends the install, and the next start takes it up again", async () => {
  const clone = await makeClone();
  await clone.prepare();
  clone.changeLockfile();
  const stopped = clone.start("scripts/run", ["true"]);
  const install = await clone.npm.next();
  process.kill(-stopped.pid, "SIGINT");
  await install.gone;
  expect(await stopped.ended).toMatchObject({ code: 130 });
  expect((await stopped.ended).stderr).toContain("Stopped. The next start takes it up again.");

  const next = clone.start("scripts/run", ["true"]);
  (await clone.npm.next()).succeed();
  expect(await next.ended).toMatchObject({ code: 0 });
});

test("a start that is told to stop takes its install with it", async () => {
  const clone = await makeClone();
  await clone.prepare();
  clone.changeLockfile();
  const start = clone.start("scripts/run", ["true"]);
  const install = await clone.npm.next();
  process.kill(start.pid, "SIGTERM");
  await install.gone;
  expect(await start.ended).toMatchObject({ signal: "SIGTERM" });
});

test("of two starts at once one installs, and the other waits and says so", async () => {
  const clone = await makeClone();
  await clone.prepare();
  clone.changeLockfile();
  const first = clone.start("scripts/run", ["echo", "first"]);
  const install = await clone.npm.next();
  const second = clone.start("scripts/run", ["echo", "second"]);
  await second.said("Waiting: process ");
  const runs = clone.npm.runs.length;
  install.succeed();
  expect(await first.ended).toMatchObject({ code: 0, stdout: "first\n" });
  expect(await second.ended).toMatchObject({ code: 0, stdout: "second\n" });
  expect(clone.npm.runs).toHaveLength(runs);
});

test("when the holder of the lock has died, exactly one of many takes its place", async () => {
  const clone = await makeClone();
  await clone.prepare();
  clone.changeLockfile();
  const runs = clone.npm.runs.length;
  const dead = spawnSync("true").pid;
  symlinkSync(`${dead}@1`, join(clone.root, ".runtime", "lock"));
  clone.npm.automatic = true;
  const starts = Array.from({ length: 8 }, () => clone.start("scripts/run", ["true"]).ended);
  expect((await Promise.all(starts)).map(({ code }) => code)).toEqual(starts.map(() => 0));
  expect(clone.npm.runs).toHaveLength(runs + 1);
  expect(clone.npm.mostAtOnce).toBe(1);
  expect(existsSync(join(clone.root, ".runtime", "lock"))).toBe(false);
});

test("the command takes the launcher's place: its process, its signals, its exit code", async () => {
  const clone = await makeClone();
  await clone.prepare();
  const script = `process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.error(process.pid + " is up")`;
  const start = clone.start("scripts/run", ["node", "-e", script]);
  await start.said(`${start.pid} is up`);
  process.kill(start.pid, "SIGTERM");
  expect(await start.ended).toMatchObject({ code: 7 });
});

test("standard output is the command's alone, also while something is installed", async () => {
  const clone = await makeClone();
  clone.npm.automatic = true;
  const { stdout, stderr } = await clone.start("scripts/choir", ["events", "--json"]).ended;
  expect(stderr).toContain("Installing dependencies: this clone has none yet");
  expect(JSON.parse(stdout)).toEqual({ cwd: clone.root, args: ["events", "--json"] });
});

test("choir works from any folder, through a link, and stays in that folder", async () => {
  const clone = await makeClone();
  await clone.prepare();
  const folder = join(clone.root, "somewhere", "below");
  mkdirSync(folder, { recursive: true });
  const { stdout } = await clone.start("node_modules/.bin/choir", ["write", "a note.md"], { cwd: folder }).ended;
  expect(JSON.parse(stdout)).toEqual({ cwd: folder, args: ["write", "a note.md"] });
});

test("npx choir runs this clone's choir, and asks no registry for another", async () => {
  const clone = await makeClone();
  await clone.prepare();
  symlinkSync("/usr/bin/env", join(clone.root, "env"));
  const env = { ...OWN_NPM, npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" };
  const { stdout, stderr } = await clone.start("env", ["npx", "choir", "verify"], { env }).ended;
  expect(stderr).not.toContain("ECONNREFUSED");
  expect(JSON.parse(stdout)).toEqual({ cwd: clone.root, args: ["verify"] });
});
