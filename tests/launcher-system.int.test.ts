import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Clone, makeClone } from "./launcher/clone.ts";
import { isRoot, someoneElse } from "./launcher/someone-else.ts";

const PACKAGES = "gcc libc6-dev bubblewrap curl openssl python3-minimal chromium";
const INSTALL =
  /^noninteractive .* install -y --no-install-recommends gcc libc6-dev bubblewrap curl openssl python3-minimal chromium$/;

test("what tests need from the system is not mentioned where it is there", async () => {
  const clone = await makeClone();
  await clone.prepare();
  const env = bareSystem(clone);
  layCommand(clone, "cc", "exit 0");
  for (const program of ["bwrap", "curl", "openssl", "python3", "chromium"]) layCommand(clone, program, "exit 0");
  expect(await clone.start("scripts/run", ["--tests", "echo", "ok"], { env }).ended).toMatchObject({
    code: 0,
    stdout: "ok\n",
    stderr: "",
  });
});

test("only tests ask for it", async () => {
  const clone = await makeClone();
  await clone.prepare();
  const env = bareSystem(clone);
  expect(await clone.start("scripts/run", ["echo", "ok"], { env }).ended).toMatchObject({ code: 0, stderr: "" });
});

test.runIf(isRoot)(
  "a start as root gets bubblewrap by itself; where that fails it says so, goes on, and doesn't try again",
  async () => {
    const clone = await makeClone();
    await clone.prepare();
    const env = bareSystem(clone);
    layApt(clone, "has no network");
    const first = await clone.start("scripts/run", ["echo", "ok"], { env }).ended;
    expect(first).toMatchObject({ code: 0, stdout: "ok\n" });
    expect(first.stderr).toContain(
      "Installing bubblewrap: commands run in a sandbox, and this machine has no bubblewrap",
    );
    expect(first.stderr).toContain("ChoirOS starts without it.");
    expect(await clone.start("scripts/run", ["echo", "ok"], { env }).ended).toMatchObject({ code: 0, stderr: "" });
  },
);

test("who is not root and has no sudo is told exactly which command to run", async () => {
  const clone = await makeClone();
  const env = bareSystem(clone);
  layCommand(clone, "apt-get", "exit 1");
  const { code, stderr } = await clone.start("scripts/run", ["--tests", "true"], { env, ...someoneElse }).ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`\n  su - -c 'apt-get update && apt-get install -y --no-install-recommends ${PACKAGES}'\n`);
});

test("who has a sudo that asks for a password is told the command with sudo", async () => {
  const clone = await makeClone();
  const env = bareSystem(clone);
  layCommand(clone, "apt-get", "exit 1");
  layCommand(clone, "sudo", `test "$1" = -n && exit 1`);
  const { code, stderr } = await clone.start("scripts/run", ["--tests", "true"], { env, ...someoneElse }).ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${PACKAGES}\n`);
});

test("without apt it says what to look for", async () => {
  const clone = await makeClone();
  const { stderr } = await clone.start("scripts/run", ["--tests", "true"], { env: bareSystem(clone) }).ended;
  expect(stderr).toBe(
    "Tests need gcc, libc6-dev, bubblewrap, curl, openssl, python3-minimal, chromium: install the like with this system's package manager, and run the same command again.\n",
  );
});

test.runIf(isRoot)("root gets it installed without being asked anything", async () => {
  const clone = await makeClone();
  await clone.prepare();
  const env = bareSystem(clone);
  layApt(clone, "installs");
  const { code, stderr } = await clone.start("scripts/run", ["--tests", "true"], { env }).ended;
  expect(stderr).toContain(
    "Installing gcc, libc6-dev, bubblewrap, curl, openssl, python3-minimal, chromium: tests make disks fail with a small C library",
  );
  expect(code).toBe(0);
  expect(aptRuns(clone).at(-1)).toMatch(INSTALL);
});

test("a sudo that asks for no password is used", async () => {
  const clone = await makeClone();
  await clone.prepare();
  const env = bareSystem(clone);
  layApt(clone, "installs");
  layCommand(clone, "sudo", `[ "$1" = -n ] || exit 1; shift; exec "$@"`);
  giveAway(clone);
  const { code } = await clone.start("scripts/run", ["--tests", "true"], { env, ...someoneElse }).ended;
  expect(code).toBe(0);
  expect(aptRuns(clone).at(-1)).toMatch(INSTALL);
});

test("old lists of packages are renewed when the install fails", async () => {
  const clone = await makeClone();
  await clone.prepare();
  const env = bareSystem(clone);
  layApt(clone, "installs after an update");
  layCommand(clone, "sudo", `shift; exec "$@"`);
  expect(await clone.start("scripts/run", ["--tests", "true"], { env }).ended).toMatchObject({ code: 0 });
  expect(aptRuns(clone).slice(-2)).toEqual([expect.stringMatching(/ update$/), expect.stringMatching(INSTALL)]);
});

test("a missing network is told as such, though apt only complains of a missing package", async () => {
  const clone = await makeClone();
  await clone.prepare();
  const env = bareSystem(clone);
  layApt(clone, "has no network");
  layCommand(clone, "sudo", `shift; exec "$@"`);
  const { code, stderr } = await clone.start("scripts/run", ["--tests", "true"], { env }).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /Could not install gcc, libc6-dev, bubblewrap, curl, openssl, python3-minimal, chromium: no connection to deb\.example /,
  );
  expect(readFileSync(join(clone.root, ".runtime", "apt.log"), "utf8")).toContain("Unable to locate package gcc");
});

/** A PATH with nothing on it but Node and what the launcher itself calls: no compiler, no apt, no sudo. */
function bareSystem(clone: Clone): { PATH: string } {
  for (const command of ["readlink", "env", "true", "echo"])
    symlinkSync(`/usr/bin/${command}`, join(clone.bin, command));
  chmodSync(clone.bin, 0o777);
  return { PATH: clone.bin };
}

function layCommand(clone: Clone, name: string, script: string): void {
  writeFileSync(join(clone.bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function layApt(clone: Clone, does: "installs" | "installs after an update" | "has no network"): void {
  const missing = `{ echo "E: Unable to locate package gcc"; exit 100; }`;
  const [update, install] = {
    installs: ["true", "true"],
    "installs after an update": [`echo > "${clone.bin}/updated"`, `[ -e "${clone.bin}/updated" ] || ${missing}`],
    "has no network": [
      `echo "W: Failed to fetch http://deb.example/dists  Temporary failure resolving 'deb.example'"`,
      missing,
    ],
  }[does];
  layCommand(
    clone,
    "apt-get",
    `echo "$DEBIAN_FRONTEND $*" >> "${clone.bin}/apt-runs"
     case "$*" in *update) ${update} ;; *) ${install}; /bin/ln -s /bin/true "${clone.bin}/cc" ;; esac`,
  );
}

function aptRuns(clone: Clone): string[] {
  return readFileSync(join(clone.bin, "apt-runs"), "utf8").trimEnd().split("\n");
}

function giveAway(clone: Clone): void {
  if (someoneElse.uid !== undefined) execFileSync("chown", ["-R", `${someoneElse.uid}`, clone.root]);
}
