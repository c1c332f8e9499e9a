import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { expect, onTestFinished, test } from "vitest";
import type { Home } from "../home.ts";
import { MAIN } from "../testing/choir-process.ts";
import { serve } from "../testing/served-home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";
import { findingsOf } from "./sandbox-findings.ts";

keepThreads();

const workspace = (home: Home, name: string) => join(home.rootOf("ada"), "workspace", name);
const sh = (line: string, ...options: string[]) => ["exec", "--user", "ada", ...options, "--", "sh", "-c", line];

test("CMD-6: a server that stops ends the command, and nothing of it is kept", async () => {
  const home = tempHome();
  const server = await serve(home);
  const closed = Promise.withResolvers<void>();
  const onOutput = () => void server.close().then(closed.resolve, closed.reject);
  const { exit, aside } = await choir(home, sh("echo x > a.txt; echo begun; sleep 1000"), { onOutput });
  expect({ exit, aside }).toEqual({ exit: 1, aside: expect.stringContaining("the server has gone away") });
  await closed.promise;
  expect(existsSync(workspace(home, "a.txt"))).toBe(false);
  expect((await choir(home, ["events", "--from", "-1"])).out).toMatch(/tool\.result +stopped/);
});

test("CMD-11: a server that is killed leaves nothing of the command, and the next one tells of it", async () => {
  const home = tempHome();
  const args = [MAIN, "start", "--home", home.path, "--user", "ada"];
  const first = spawn(process.execPath, args, { env: { CHOIR_SERVER_PORT: "0" }, stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void first.kill("SIGKILL"));
  await once(first.stdout, "data");
  const onOutput = () => void first.kill("SIGKILL");
  const ran = await choir(home, sh("echo x > a.txt; echo begun; sleep 1000"), { onOutput });
  expect(ran).toMatchObject({ exit: 1, aside: expect.stringContaining("the server has gone away") });
  const { notices } = await serve(home);
  expect(notices).toEqual([expect.stringMatching(/call \S+ was interrupted: .*nothing of it was kept/)]);
  expect(existsSync(workspace(home, "a.txt"))).toBe(false);
  expect((await choir(home, sh("echo again"))).out).toBe("again\n");
});

test("CMD-6: a command ends with whoever asked for it, also where nobody takes what that one sends", async () => {
  const home = tempHome();
  await serve(home);
  const words = [MAIN, ...sh("echo x > a.txt; echo begun; sleep 1000").toSpliced(1, 0, "--home", home.path)];
  const asking = spawn(process.execPath, words);
  Readable.from(endless())
    .pipe(asking.stdin)
    .on("error", () => {}); // it is killed
  onTestFinished(() => void asking.kill("SIGKILL"));
  await once(asking.stdout, "data");
  asking.kill("SIGKILL");
  const onLine = (line: string, stop: () => void) => line.includes("tool.result") && stop();
  const { out } = await choir(home, ["events", "--follow"], { onLine });
  expect(out).toMatch(/tool\.result +stopped\n$/);
  expect(existsSync(workspace(home, "a.txt"))).toBe(false);
});

test("CMD-12: what others changed meanwhile stays, what the command left stands beside it, and that is said", async () => {
  const home = tempHome();
  await serve(home);
  await choir(home, ["write", "notes.txt"], { input: "one\n" });
  const onOutput = async () => {
    await choir(home, ["write", "notes.txt"], { input: "theirs\n" });
    go.resolve();
  };
  const go = Promise.withResolvers<void>();
  async function* input() {
    await go.promise;
    yield Buffer.from("on\n");
  }
  const ran = await choir(home, sh("echo begun; read line; echo mine > notes.txt"), { onOutput, input: input() });
  expect(ran.aside).toMatch(/^Changed 1 path: .*\n.*notes \(other version\)\.txt.*\n$/);
  expect((await choir(home, ["cat", "notes.txt"])).out).toBe("theirs\n");
  expect((await choir(home, ["cat", "notes (other version).txt"])).out).toBe("mine\n");
});

test("CMD-8: each computer of a home has commands, files and a log of its own", async () => {
  const home = tempHome();
  const file = join(home.path, "mine.choir");
  await choir(home, ["write", "a.txt", "--user", "ada"], { input: "ada's" });
  await choir(home, ["export", file]);
  await choir(home, ["import", file, "--user", "eve"]);
  await serve(home);
  const words = ["exec", "--user", "eve", "--", "sh", "-c", "cat a.txt; echo eve > a.txt; ls /home/choir/.. /home"];
  expect(await choir(home, words)).toMatchObject({ exit: 0, out: "ada's/home:\nchoir\n\n/home/choir/..:\nchoir\n" });
  expect((await choir(home, ["cat", "a.txt", "--user", "eve"])).out).toBe("eve\n");
  expect((await choir(home, ["cat", "a.txt"])).out).toBe("ada's");
  expect((await choir(home, ["events"])).out).not.toContain("tool.call");
});

test("CMD-14, SBX-52: without bubblewrap a command is refused with what to install, and nothing is in the log", async () => {
  const home = tempHome();
  const hidden = 'mount --bind /dev/null "$(command -v bwrap)" && exec "$@"';
  const words = [process.execPath, MAIN, ...sh("true").toSpliced(1, 0, "--home", home.path)];
  const child = spawn("unshare", ["--map-root-user", "--mount", "sh", "-c", hidden, "sh", ...words]);
  child.stdin.end();
  const said = text(child.stderr);
  expect(await once(child, "close")).toEqual([1, null]);
  expect(await said).toMatch(
    /^choir: Commands run in a sandbox, and this machine has no bubblewrap\. Install it \(.+\)\.\n$/,
  );
  expect((await choir(home, ["events"])).out).not.toContain("tool.call");
});

test("what a sandbox lays down is in the home's own run folder, and goes with it", async () => {
  const home = tempHome();
  await choir(home, sh("true"));
  expect((statSync(home.runFolder).mode & 0o777).toString(8)).toBe("700");
  expect(readdirSync(join(home.runFolder, "sandbox"))).toEqual([]);
});

test.each(["folder", "server"])("runtime.mode unsafe is said by every exec and status, through the %s", async (way) => {
  const home = tempHome();
  writeFileSync(join(home.path, "config.toml"), '[runtime]\nmode = "unsafe"\n');
  if (way === "server") {
    const { address } = await serve(home, { runtime: { mode: "unsafe" } });
    expect(await (await fetch(`${address}/api/health`)).json()).toMatchObject({ unsafe: true });
  }
  const ran = await choir(home, sh("echo x > a.txt; pwd"));
  expect(ran).toMatchObject({ exit: 0, out: `${workspace(home, "")}\n`.replace("/\n", "\n") });
  expect(ran.aside).toMatch(/^UNSAFE: commands run without a sandbox.*\nChanged 1 path: /);
  expect((await choir(home, ["status"])).out).toContain("UNSAFE: commands run without a sandbox");
  expect(JSON.parse((await choir(home, ["status", "--json"])).out)).toMatchObject({ unsafe: true });
  expect(await choir(home, ["doctor"])).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/^!! {3}Sandbox: UNSAFE/m),
  });
});

test("limits of the configuration hold for every command", async () => {
  const home = tempHome();
  const env = { CHOIR_LIMITS_OUTPUT_MB: "1" };
  const { exit, out, aside } = await choir(home, sh("yes"), { env });
  expect({ exit, length: out.length }).toEqual({ exit: 137, length: 1024 * 1024 });
  expect(aside).toContain("it reached its limit on output (limits.output_mb)");
});

test("a wrong configuration runs no command, and says what is wrong with it", async () => {
  const home = tempHome();
  const { exit, aside } = await choir(home, sh("true"), { env: { CHOIR_LIMITS_TIME_S: "soon" } });
  expect({ exit, aside }).toEqual({
    exit: 1,
    aside: expect.stringContaining('CHOIR_LIMITS_TIME_S is "soon": must be'),
  });
});

test("SBX-53: doctor tells what the sandbox is like here", async () => {
  const home = tempHome();
  await choir(home, sh("true"));
  const { exit, out } = await choir(home, ["doctor"]);
  expect(exit).toBe(0);
  expect(out).toMatch(/^ok {3}Sandbox: bubblewrap [\d.]+, works$/m);
  for (const what of ["User namespaces", "Network of commands", "Layers", "Limits of commands", "Tools in the sandbox"])
    expect(out).toContain(`ok   ${what}: `);
});

test("SBX-52, SBX-53: what is missing is told with what to do", () => {
  const message = "Commands run in a sandbox, and this machine has no bubblewrap. Install it.";
  const none = { ok: false, why: "the kernel refuses" } as const;
  expect(findingsOf({ ok: false, message, userNamespaces: none })).toEqual([
    { what: "Sandbox", ok: false, found: message, advice: expect.stringContaining("'choir exec' is refused") },
    { what: "User namespaces", ok: expect.any(Boolean), found: expect.any(String), advice: expect.any(String) },
  ]);
  const lacking = {
    userNamespaces: none,
    overlay: none,
    egress: none,
    limitedBy: "rlimits",
    missingTools: ["git"],
  } as const;
  const found = findingsOf({ ok: true, version: "b 1", ...lacking });
  expect(found.map(({ found }) => found).join("; ")).toMatch(
    /works; none for this user: the kernel.*; none here: the kernel.*; none, and no host can be allowed: the kernel.*; held by rlimits.*; without git/,
  );
  expect(found.slice(1).every(({ advice }) => advice !== undefined)).toBe(true);
});

function* endless() {
  for (;;) yield Buffer.alloc(64 * 1024);
}
