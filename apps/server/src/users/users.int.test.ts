import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { describe, expect, test } from "vitest";
import type { Home } from "../home.ts";
import { askHttp, consoleAt, signIn } from "../testing/ask-http.ts";
import { serve } from "../testing/served-home.ts";
import { choir, homeWith, tempHome } from "../testing/temp-home.ts";
import { openHomeAccounts } from "./open-home-accounts.ts";

keepThreads();

const json = async (home: Home, ...words: string[]) => {
  const { exit, out, aside } = await choir(home, [...words, "--json"]);
  if (exit !== 0) throw new Error(aside);
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
};

/** In the one file that is there. */
function damage(folder: string): void {
  const [file] = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  if (file === undefined) throw new Error("there is no content in a file");
  const path = join(file.parentPath, file.name);
  writeFileSync(path, readFileSync(path).fill(0, 1000, 1006));
}

const idsIn = async (home: Home) => (await json(home, "user", "list")).map(({ id }) => id);

/** The same whether a server runs on the home or not. */
describe.each(["without a server", "through the server"])("%s", (how) => {
  async function homeOf(): Promise<Home> {
    const home = await homeWith();
    if (how === "through the server") await serve(home);
    return home;
  }

  test("DOOR-1: a user is added with a computer of their own", async () => {
    const home = await homeOf();
    const { exit, out, aside } = await choir(home, ["user", "add", "Bob B."]);
    expect({ exit, out }).toEqual({ exit: 0, out: "Added Bob B., a member, with the id bob-b.\n" });
    expect(aside).toContain("choir user link bob-b");
    expect(await json(home, "user", "list")).toEqual([
      expect.objectContaining({ id: "ada", role: "owner", computers: ["ada"] }),
      expect.objectContaining({
        id: "bob-b",
        name: "Bob B.",
        role: "member",
        computers: ["bob-b"],
        hasPassword: false,
      }),
    ]);
    expect((await choir(home, ["events", "--user", "bob-b"])).out).toContain("log.created");
    expect((await choir(home, ["user", "list"])).out).toMatch(/^ada +owner .*\nbob-b +member .*by link only/);
  });

  test("DOOR-1: a name that is taken, or gives no id, is refused with the reason", async () => {
    const home = await homeOf();
    expect(await choir(home, ["user", "add", "Ada"])).toMatchObject({
      exit: 1,
      out: "",
      aside: "choir: 'Ada' would have the id 'ada', as 'ada' has: choose another name\n",
    });
    expect((await choir(home, ["user", "add", "用户"])).aside).toContain("no id can be made of");
    expect(await idsIn(home)).toEqual(["ada"]);
  });

  test("DOOR-3: a user is removed once their computers are in files, and the name is free again", async () => {
    const home = await homeOf();
    await json(home, "user", "add", "bob");
    await choir(home, ["write", "notes.md", "--user", "bob"], { input: "kept" });
    const { exit, out } = await choir(home, ["user", "remove", "bob"]);
    expect(exit).toBe(0);
    const [, file = ""] = /^Removed bob\.\nThe computer bob is in (.*)\n$/.exec(out) ?? [];
    expect(file.startsWith(join(home.exports, "bob-"))).toBe(true);
    expect([statSync(home.exports).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(join(home.path, "users"))).toEqual(["ada"]);
    expect(await idsIn(home)).toEqual(["ada"]);
    expect((await choir(home, ["import", file, "--user", "bob-again"])).exit).toBe(0);
    expect((await choir(home, ["cat", "notes.md", "--user", "bob-again"])).out).toBe("kept");
    expect((await choir(home, ["user", "add", "bob", "--owner"])).exit).toBe(0);
  });

  test("DOOR-4: --keep-files leaves the folder, and the export is made all the same", async () => {
    const home = await homeOf();
    await json(home, "user", "add", "bob");
    const [removed] = await json(home, "user", "remove", "bob", "--keep-files");
    expect(removed).toEqual({
      id: "bob",
      computers: [{ id: "bob", export: expect.any(String), folder: home.rootOf("bob"), problem: null }],
    });
    expect(existsSync(removed.computers[0].export)).toBe(true);
    expect(home.computers()).toEqual(["ada", "bob"]);
    expect((await choir(home, ["user", "add", "bob"])).aside).toContain("there is a computer 'bob' already");
  });

  test("DOOR-4: where the export fails the folder stays, and that is said", async () => {
    const home = await homeOf();
    await json(home, "user", "add", "bob");
    writeFileSync(home.exports, "a file is in the way");
    const { exit, out, aside } = await choir(home, ["user", "remove", "bob"]);
    expect({ exit, out }).toEqual({ exit: 1, out: `Removed bob.\nIts folder is still there: ${home.rootOf("bob")}\n` });
    expect(aside).toMatch(/^choir: the computer bob: EEXIST/);
    expect(home.computers()).toEqual(["ada", "bob"]);
    expect(await idsIn(home)).toEqual(["ada"]);
  });

  test("DOOR-4: where a content is lost the folder stays beside the export that lacks it", async () => {
    const home = await homeOf();
    await json(home, "user", "add", "bob");
    await choir(home, ["write", "big", "--user", "bob"], { input: randomBytes(200_000) });
    await choir(home, ["rm", "big", "--user", "bob"]); // or it would be taken from there again
    damage(join(home.storeOf("bob"), "contents"));
    const { exit, out, aside } = await choir(home, ["user", "remove", "bob"]);
    expect(exit).toBe(1);
    expect(out).toContain("Its folder is still there");
    expect(aside).toContain("1 of its contents are damaged or missing, and not in the export");
  });

  test("DOOR-5: whose home it is can't be removed, and nothing is exported", async () => {
    const home = await homeOf();
    await json(home, "user", "add", "bob", "--owner");
    expect(await choir(home, ["user", "remove", "ada"])).toMatchObject({
      exit: 1,
      aside: `choir: 'ada' can't be removed: ${home.path} is theirs\n`,
    });
    expect((await choir(home, ["user", "remove", "eve"])).aside).toContain("there is no user 'eve'");
    expect(existsSync(home.exports)).toBe(false);
  });
});

test("DOOR-3, DOOR-5: over HTTP an owner removes others by the same rules, and never whose home it is", async () => {
  const home = await homeWith();
  const { address, accounts } = await serve(home);
  await json(home, "user", "add", "bob", "--owner");
  await json(home, "user", "add", "cleo");
  await choir(home, ["write", "notes.md", "--user", "cleo"], { input: "kept" });
  const [{ address: link }] = await json(home, "user", "link", "bob");
  const cookie = (await signIn(address, link)) ?? "";
  const me = JSON.parse((await askHttp(address, "/api/me", { headers: { ...consoleAt(address), cookie } })).body);
  const headers = { ...consoleAt(address), cookie, "content-length": "2", "x-choir-token": me.token };
  const remove = (id: string) => askHttp(address, `/api/users/${id}`, { headers, body: {}, method: "DELETE" });
  expect(await remove("ada")).toMatchObject({ status: 422, body: expect.stringContaining("can't be removed") });
  expect(await accounts.find("ada")).toBeDefined();
  const { exported, problems } = JSON.parse((await remove("cleo")).body);
  expect([problems, statSync(exported[0]).mode & 0o777]).toEqual([[], 0o600]);
  expect(existsSync(home.rootOf("cleo"))).toBe(false);
  expect(await json(home, "user", "add", "cleo")).toMatchObject([{ id: "cleo" }]);
});

test("DOOR-1: in a new home the first user that is added comes after its owner", async () => {
  const home = tempHome();
  expect((await choir(home, ["user", "list"])).aside).toContain("has no user yet: 'choir start' makes the first one");
  expect(readdirSync(home.path)).toEqual([]);
  await json(home, "user", "add", "bob", "--user", "ada");
  expect(await json(home, "user", "list")).toEqual([
    expect.objectContaining({ id: "ada", role: "owner" }),
    expect.objectContaining({ id: "bob", role: "member" }),
  ]);
  expect(home.computers()).toEqual(["ada", "bob"]);
  expect(home.owner()).toBe("ada");
});

test("DOOR-2: a home from before there were accounts is its owner's, with every computer in it", async () => {
  const home = await homeWith();
  await choir(home, ["write", "a.txt"], { input: "a" });
  mkdirSync(home.storeOf("old"), { recursive: true });
  home.setOwner("ada");
  const { accounts } = await serve(home);
  expect(await accounts.list()).toMatchObject([{ id: "ada", role: "owner" }]);
  expect((await accounts.computers("ada")).map(({ id }) => id)).toEqual(["ada", "old"]);
});

test("DOOR-3: with the user their sessions end, and so does what they have open", async () => {
  const home = await homeWith();
  const { address } = await serve(home);
  await json(home, "user", "add", "bob");
  const [link] = await json(home, "user", "link", "bob");
  const cookie = (await signIn(address, link.address)) ?? "";
  const me = () => askHttp(address, "/api/me", { headers: { ...consoleAt(address), cookie } });
  expect(JSON.parse((await me()).body)).toMatchObject({ account: { id: "bob" }, computers: [{ id: "bob" }] });
  await json(home, "user", "remove", "bob");
  expect((await me()).status).toBe(204);
});

test("DOOR-6: a link signs in once, and the command says for how long it is good", async () => {
  const home = await homeWith();
  const { address } = await serve(home);
  const { exit, out, aside } = await choir(home, ["user", "link"]);
  expect(exit).toBe(0);
  expect(out).toMatch(/^http:\/\/localhost:\d+\/#link=[\w-]{43}\n$/);
  expect(aside).toMatch(/^It signs ada in once, within 10 minutes \(until \d\d:\d\d UTC\)\.\n$/);
  expect(await signIn(address, out.trimEnd())).toMatch(/^choir-\d+=/);
  expect(await signIn(address, out.trimEnd())).toBeUndefined();
  expect((await choir(home, ["user", "link", "eve"])).aside).toContain("there is no user 'eve'");
});

test("DOOR-6: without a server a link is made too, and what it needs is said", async () => {
  const home = await homeWith();
  await json(home, "user", "add", "bob");
  const env = { CHOIR_SERVER_PORT: "4999" };
  const { out, aside } = await choir(home, ["user", "link", "bob"], { env });
  expect(out).toMatch(/^http:\/\/localhost:4999\/#link=/);
  expect(aside).toContain("no server is running: 'choir start' has to run");
  expect((await choir(home, ["user", "link"], { env })).aside).toContain("prints a new link in place of this one");
  const accounts = openHomeAccounts(home, { owner: "ada", origins: () => ["http://x"], report: () => {} });
  expect(await accounts.linkOf(out.trimEnd().split("=")[1] ?? "")).toMatchObject({ id: "bob" });
  accounts.close();
  const free = await choir(home, ["user", "link", "bob"], { env: { CHOIR_SERVER_PORT: "0" } });
  expect(free).toMatchObject({ exit: 1, aside: expect.stringContaining("start one first") });
});

test.each(["status", "user list"])(
  "DOOR-24: 'choir %s' can be stopped where the server doesn't answer",
  async (words) => {
    const home = await homeWith();
    const stop = new AbortController();
    const deaf = createServer((_request, _response) => stop.abort());
    mkdirSync(home.runFolder, { mode: 0o700, recursive: true });
    deaf.listen(home.socket);
    await once(deaf, "listening");
    try {
      expect((await choir(home, words.split(" "), { signal: stop.signal })).exit).toBe(130);
    } finally {
      deaf.closeAllConnections();
      deaf.close();
    }
  },
);
