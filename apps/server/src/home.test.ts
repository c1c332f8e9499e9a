import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UserId } from "@choiros/contract";
import { expect, test } from "vitest";
import { chooseUser, Home } from "./home.ts";
import { tempHome } from "./testing/temp-home.ts";

const withComputers = (...ids: string[]) => {
  const home = tempHome();
  for (const id of ids) mkdirSync(home.storeOf(id), { recursive: true });
  return home;
};

test("the home is where --home says, else CHOIR_HOME, else ~/choiros", () => {
  expect(Home.at("/srv/a", { CHOIR_HOME: "/srv/b" }).path).toBe("/srv/a");
  expect(Home.at(undefined, { CHOIR_HOME: "/srv/b" }).path).toBe("/srv/b");
  expect(Home.at(undefined, {}).path).toBe(join(homedir(), "choiros"));
});

test("a home in the clone itself is nothing to git, which would clean it away or add it", () => {
  const clone = join(import.meta.dirname, "../../..");
  const home = new Home(clone);
  const ada = UserId.parse("ada");
  const files = ["config.toml", "models.toml", "policy.toml", "prices.toml", "secrets.json", "secrets-encrypted.json"];
  const paths = [home.accountsFile, `${home.accountsFile}-wal`, home.ownerNote, home.socket, home.storeOf(ada)];
  paths.push(home.exportFile(ada, new Date()), ...files.map((file) => join(clone, file)));
  const ignored = execFileSync("git", ["check-ignore", "--no-index", ...paths], {
    cwd: clone,
    encoding: "utf8",
    env: { ...process.env, GIT_DIR: undefined }, // a git hook has it point elsewhere
  });
  expect(ignored.trim().split("\n")).toEqual(paths);
});

test("a relative home is meant from where the command is run", () => {
  expect(new Home("here").path).toBe(join(process.cwd(), "here"));
});

test("in an empty home the owner is named after the system's user", () => {
  expect(chooseUser(tempHome(), undefined, () => "Jörg.Müller")).toEqual({ ok: true, userId: "jorg-muller" });
});

test("a home with one computer is about that one, whoever runs the command", () => {
  expect(chooseUser(withComputers("ada"), undefined, () => "root")).toEqual({ ok: true, userId: "ada" });
});

test("among several computers the owner's is meant, whoever runs the command", () => {
  const home = withComputers("ada", "bob");
  home.setOwner("bob");
  expect(chooseUser(home, undefined, () => "ada")).toEqual({ ok: true, userId: "bob" });
});

test("the owner's note holds an id, and nothing else", () => {
  const home = withComputers("ada");
  writeFileSync(home.ownerNote, "../ada");
  expect(() => chooseUser(home, undefined)).toThrow(/should hold the id of this home's owner/);
});

test("a system user without a name, or with one that no id can be made of, has to say which", () => {
  for (const name of ["用户", ""]) {
    const chosen = chooseUser(tempHome(), undefined, () => name);
    expect(chosen).toEqual({ ok: false, message: expect.stringContaining("--user ID") });
  }
});

test("an empty --home is refused, and an empty CHOIR_HOME is none", () => {
  expect(() => Home.at("", {})).toThrow("--home takes a folder");
  expect(Home.at(undefined, { CHOIR_HOME: "" }).path).toBe(join(homedir(), "choiros"));
});

test("what can't be a home is named before anything is made there", () => {
  const home = tempHome();
  expect(home.fault()).toBeUndefined();
  writeFileSync(join(home.path, "users"), "");
  expect(home.fault()).toContain("users is not a folder");
  expect(new Home(join(home.path, "users")).fault()).toContain("is not a folder");
  expect(new Home(join(home.path, "a".repeat(100))).fault()).toContain("too long a name");
});

test("--user takes only what can stand in a folder, a subject and a host name", () => {
  for (const id of ["../bob", "Ada", "a.b", "", "-a", "a".repeat(41)]) {
    expect(chooseUser(tempHome(), id)).toEqual({ ok: false, message: expect.stringContaining("is not an id") });
  }
});

test("stray files and folders among the users are no computers", () => {
  const home = withComputers("ada");
  mkdirSync(join(home.path, "users", "Not An Id", ".choir"), { recursive: true });
  mkdirSync(join(home.path, "users", "empty"));
  writeFileSync(join(home.path, "users", "file"), "");
  expect(home.computers()).toEqual(["ada"]);
});
