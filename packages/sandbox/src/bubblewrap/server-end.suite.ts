import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { EngineName } from "../sandbox.ts";
import type { Check } from "../testing/check.ts";
import { makePlace, openAt, type Place, tell } from "../testing/place.ts";
import { GROUPS_FILE } from "./leftovers.ts";
import { probe } from "./probe.ts";

const ENTRY = join(import.meta.dirname, "../testing/server-entry.ts");
const WAIT_MS = 20;
const MOST_WAITS = 500;

/** When the server goes without a word. */
export const serverEndSuite: readonly Check[] = [
  {
    name: "SBX-50: a server that is killed leaves no process and no mount; SBX-51: the next open removes its control groups and folders, and lets those of a server that runs alone",
    run: async (engine) => {
      const place = makePlace();
      const [killed, other] = await Promise.all([startServer(place), startServer(place)]);
      try {
        await expectLeftovers(place, killed, other, engine);
      } finally {
        for (const { server } of [killed, other]) server.kill("SIGKILL");
      }
      await until(() => processesWith(other.marker).length === 0);
      await (await openAt(place, { engine })).close();
      assert.deepEqual(readdirSync(place.runDir), []);
      await place.remove();
    },
  },
  {
    name: "SBX-51: control groups of a server that is gone are removed also where its home is gone, and those of one that runs let alone",
    run: async (engine) => {
      const [gone, running, here] = [makePlace(), makePlace(), makePlace()];
      const [killed, other] = await Promise.all([startServer(gone), startServer(running)]);
      try {
        const [left, kept] = [groupsOf(folderOf(gone, killed.server)), groupsOf(folderOf(running, other.server))];
        killed.server.kill("SIGKILL");
        await until(() => processesWith(killed.marker).length === 0);
        await gone.remove();
        await (await openAt(here, { engine })).close();
        assert.deepEqual(left.filter(existsSync), []);
        assert.deepEqual(kept.filter(existsSync), kept);
        assert.equal(processesWith(other.marker).length, PROCESSES);
      } finally {
        for (const { server } of [killed, other]) server.kill("SIGKILL");
      }
      await until(() => processesWith(other.marker).length === 0);
      await (await openAt(running, { engine })).close();
      await Promise.all([running.remove(), here.remove()]);
    },
  },
  {
    name: "SBX-53: probe tells the version, whether namespaces, overlays and a way out work, what holds the limits, and which tools are missing inside",
    run: async () => {
      const place = makePlace();
      const probed = await probe(place.folder);
      assert.ok(probed.ok);
      assert.match(probed.version, /^bubblewrap \d/);
      for (const found of [probed.overlay, probed.userNamespaces, probed.egress]) assert.deepEqual(found, { ok: true });
      assert.match(probed.limitedBy, /^(cgroup v[12]|rlimits)$/);
      assert.ok(!probed.missingTools.includes("node"));
      assert.deepEqual(readdirSync(place.folder), ["root"]);
      await place.remove();
    },
  },
];

/** How many processes a server runs, of those that bear its marker. */
const PROCESSES = 8;

async function expectLeftovers(place: Place, killed: Started, other: Started, engine: EngineName): Promise<void> {
  for (const { marker } of [killed, other]) await until(() => processesWith(marker).length === PROCESSES);
  const [killedFolder, otherFolder] = [folderOf(place, killed.server), folderOf(place, other.server)];
  killed.server.kill("SIGKILL");
  await until(() => processesWith(killed.marker).length === 0);
  assert.equal(processesWith(other.marker).length, PROCESSES);
  assert.doesNotMatch(readFileSync("/proc/self/mountinfo", "utf8"), /choir\\040sandbox/);
  const groups = groupsOf(killedFolder);
  assert.ok(groups.every((folder) => existsSync(folder)));

  const sandbox = await openAt(place, { engine });
  assert.equal((await tell(sandbox, "echo again")).stdout, "again\n");
  const isThere = (folder: string) => existsSync(folder);
  assert.deepEqual([killedFolder, ...groups].filter(isThere), []);
  assert.ok([otherFolder, ...groupsOf(otherFolder)].every(isThere));
  assert.equal(processesWith(other.marker).length, PROCESSES);
  await sandbox.close();
}

interface Started {
  readonly server: ChildProcess;
  /** In the command line of everything that it runs. */
  readonly marker: string;
}

async function startServer(place: Place): Promise<Started> {
  const marker = `9${process.pid}${Math.random().toString().slice(2, 10)}`;
  const { upper, work } = place.overlay();
  const server = spawn(process.execPath, [ENTRY, place.root, place.runDir, marker, upper, work], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    server.stdout?.once("data", () => resolve());
    server.once("exit", () => reject(new Error("the server ended before it was up")));
  });
  return { server, marker };
}

function folderOf(place: Place, { pid }: ChildProcess): string {
  const name = readdirSync(place.runDir).find((one) => one.startsWith(`sandbox-${pid}-`));
  assert.ok(name !== undefined);
  return join(place.runDir, name);
}

function groupsOf(folder: string): string[] {
  return readFileSync(join(folder, GROUPS_FILE), "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function processesWith(marker: string): string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(`sleep\0${marker}`));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return ""; // it ended meanwhile
  }
}

/** There is no event for the end of a stranger's process. */
async function until(happened: () => boolean): Promise<void> {
  for (let waits = 0; !happened(); waits++) {
    assert.ok(waits < MOST_WAITS, "it did not happen");
    await wait(WAIT_MS);
  }
}
