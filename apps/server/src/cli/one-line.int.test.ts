import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { expect, test } from "vitest";
import { serve } from "../testing/served-home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";

keepThreads();

test("S1: a newline in a name forges no line, wherever it is shown to a person; in JSON it is exact", async () => {
  const home = tempHome();
  const name = "a\nok   Log of ada: 9 events, whole";
  const run = (...words: string[]) => choir(home, [...words, "--user", "ada"], { input: "x" });
  expect((await run("write", name)).out).toMatch(/^Wrote a\\u\{a\}ok {3}Log.*\n$/);
  writeFileSync(join(home.rootOf("ada"), "workspace", "b\nzz"), "");
  const shown = [await run("files"), await run("history", name), await run("cat", `${name}!`), await run("status")];
  shown.push(
    await run("restore", name, "--at", "2"),
    await run("verify"),
    await run("rm", name),
    await run("rm", name),
  );
  for (const { out, aside } of shown) expect(`${out}${aside}`).not.toMatch(/^(ok {3}Log|zz)/m);
  const files = (await run("files", "--json", "--at", "2")).out;
  expect(JSON.parse(files)).toMatchObject({ path: name });
});

test.each(["undo 1", "rewind 1", "restore a --at 1", "rm a"])(
  "in a home that isn't there, '%s' makes nothing",
  async (line) => {
    const home = tempHome();
    const ran = await choir(home, [...line.split(" "), "--user", "ada"]);
    expect(ran).toMatchObject({ exit: 1, aside: expect.stringContaining("there is no computer 'ada'") });
    expect([existsSync(join(home.path, "users")), existsSync(home.ownerNote)]).toEqual([false, false]);
  },
);

test.each([
  ["on the folder", async () => {}],
  ["through a server", serve],
] as const)("ACT-16: %s, Ctrl-C is answered by whether something has happened", async (_, open) => {
  const home = tempHome();
  await choir(home, ["write", "a", "--user", "ada"], { input: "one\n" });
  await open(home);
  const stop = new AbortController();
  const endless = (async function* () {
    yield Buffer.from("two\n");
    stop.abort();
    await new Promise(() => {});
  })();
  const ran = await choir(home, ["write", "a"], { input: endless, signal: stop.signal });
  expect(ran).toEqual({ exit: 130, out: "", aside: "choir: stopped; nothing has happened\n" });
  expect((await choir(home, ["cat", "a"])).out).toBe("one\n");
});
