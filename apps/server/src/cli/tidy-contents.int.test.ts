import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { openStore } from "@choiros/log";
import { expect, test } from "vitest";
import type { Home } from "../home.ts";
import { serve } from "../testing/served-home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";

keepThreads();

/** A home in which somebody has put two contents for something that didn't happen. */
async function withLeftOvers(): Promise<Home> {
  const home = tempHome();
  await choir(home, ["write", "a", "--user", "ada"], { input: "one\n" });
  const opened = await openStore({ dir: home.storeOf("ada"), userId: "ada", mode: "write" });
  if (!opened.ok) throw new Error(opened.message);
  for (const size of [1000, 2_000_000]) await opened.store.contents.put(Buffer.alloc(size, size));
  await opened.store.close();
  return home;
}

test("CON-22: 'choir doctor' counts contents that no event names, and --tidy removes them and nothing else", async () => {
  const home = await withLeftOvers();
  expect((await choir(home, ["doctor"])).out).toContain("1 named by the log, 0 pruned; 2 that no event names, 2.0 MB");
  const tidied = await choir(home, ["doctor", "--tidy"]);
  expect(tidied).toMatchObject({ exit: 0, out: "Removed 2 contents that no event names, 2.0 MB\n" });
  expect((await choir(home, ["doctor", "--tidy", "--json"])).out).toBe('{"removed":{"contents":0,"bytes":0}}\n');
  expect((await choir(home, ["cat", "a"])).out).toBe("one\n");
  expect((await choir(home, ["verify"])).exit).toBe(0);
});

test("SQL-10: 'choir doctor' names an import that broke off, and opening the computer removes what it left", async () => {
  const home = await withLeftOvers();
  const draft = `${home.storeOf("ada")}.importing`;
  mkdirSync(draft);
  writeFileSync(join(draft, "log.sqlite"), "half");
  expect((await choir(home, ["doctor"])).out).toContain(`Import of ada: not finished, in ${draft}`);
  expect(existsSync(draft)).toBe(false);
});

test("CON-22: while a server runs nothing is tidied: it may be about to name what it has put", async () => {
  const home = await withLeftOvers();
  await serve(home);
  expect(await choir(home, ["doctor", "--tidy"])).toMatchObject({
    exit: 1,
    aside: expect.stringContaining("server is running"),
  });
  expect((await choir(home, ["doctor"])).out).toContain("2 that no event names");
});
