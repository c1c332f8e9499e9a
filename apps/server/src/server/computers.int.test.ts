import { setTimeout as delay } from "node:timers/promises";
import { cat } from "@choiros/gateway/operations";
import { expect, onTestFinished, test } from "vitest";
import { AgentsHouse } from "../agents/house.ts";
import { Config } from "../config/schema.ts";
import { tempHome } from "../testing/temp-home.ts";
import { Computers } from "./computers.ts";

/** Computers that are closed very soon after their last use. */
function idling(idleMs: number): { computers: Computers; reports: unknown[] } {
  const reports: unknown[] = [];
  const told = { report: (error: unknown) => void reports.push(error), tell: () => {} };
  const home = tempHome();
  const house = new AgentsHouse(home, {});
  const computers = new Computers({ home, config: Config.parse({}), who: "a test", told, house, idleMs });
  onTestFinished(() => computers.close());
  return { computers, reports };
}

async function open(computers: Computers, id: string) {
  const opened = await computers.open(id, true);
  if (!opened.ok) throw new Error(opened.message);
  return opened.computer;
}

test("LIVE-12: a computer that nobody uses any more is closed, and opened again for whoever comes", async () => {
  const { computers } = idling(20);
  const release = computers.use("ada");
  await (await open(computers, "ada")).write("workspace/a", Buffer.from("a"));
  release();
  release(); // says the same once more
  await expect.poll(() => computers.awake).toEqual([]);
  const again = computers.use("ada");
  const found = await (await open(computers, "ada")).read("workspace/a");
  expect(found?.entry).toMatchObject({ kind: "file", size: 1 });
  again();
});

test("LIVE-12: a computer that somebody uses stays open, however long", async () => {
  const { computers } = idling(20);
  const [first, second] = [computers.use("ada"), computers.use("ada")];
  const ada = await open(computers, "ada");
  first();
  await open(computers, "bob"); // whom nobody uses
  await expect.poll(() => computers.awake).toEqual(["ada"]);
  expect(await ada.write("workspace/a", Buffer.from("a"))).toMatchObject({ ok: true });
  second();
  await expect.poll(() => computers.awake).toEqual([]);
});

test("LIVE-12: who only looks at a computer leaves it closed, unless it was open or somebody came meanwhile", async () => {
  const { computers } = idling(60_000);
  for (const id of ["ada", "bob", "eve"]) await open(computers, id);
  for (const id of ["ada", "eve"]) await computers.release(id);
  let release = () => {};
  const look = (id: string, during = () => {}) =>
    computers.look(id, async (computer) => {
      during();
      return (await computer?.log.head())?.seq;
    });
  expect(await look("ada")).toBe(1);
  expect(await look("bob")).toBe(1);
  await look("eve", () => {
    release = computers.use("eve");
  });
  expect(computers.awake).toEqual(["bob", "eve"]);
  release();
});

test("LIVE-12: an operation uses its computer as long as it runs", async () => {
  const { computers } = idling(5);
  const release = computers.use("ada");
  await (await open(computers, "ada")).write("workspace/a", Buffer.from("hello"));
  release();
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const ignore = async () => {};
  const running = cat.run(
    computers.place("ada"),
    { key: "workspace/a" },
    {
      ...{ input: (async function* () {})(), aside: ignore, item: ignore, progress: () => {} },
      signal: new AbortController().signal,
      output: () => read, // whoever reads takes their time
    },
  );
  await open(computers, "bob");
  await expect.poll(() => computers.awake).toEqual(["ada"]);
  resolve();
  expect(await running).toEqual({ found: true });
  await expect.poll(() => computers.awake).toEqual([]);
});

test("LIVE-12: who comes while a computer is being closed waits, and finds it open", { timeout: 60_000 }, async () => {
  const { computers, reports } = idling(1);
  const writing = async (name: string) => {
    for (let i = 0; i < 15; i++) {
      const release = computers.use("ada");
      const computer = await open(computers, "ada");
      expect(await computer.write(`workspace/${name}-${i}`, Buffer.from(name))).toMatchObject({ ok: true });
      release();
      await delay(i % 4); // sometimes before, sometimes amid, sometimes after its closing
    }
  };
  await Promise.all(["a", "b"].map(writing));
  const release = computers.use("ada");
  const seen: string[] = [];
  for await (const page of (await open(computers, "ada")).files()) seen.push(...page.map(({ key }) => key));
  release();
  expect(seen.filter((key) => /[ab]-\d+$/.test(key))).toHaveLength(30);
  expect(reports).toEqual([]);
});
