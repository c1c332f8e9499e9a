import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSecrets } from "./open-secrets.ts";
import { lastFour } from "./secrets.ts";

const KEY = "sk-ant-0123456789-wxyz";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "choir-secrets-"));
});
afterEach(() => rm(home, { recursive: true }));

test("MODEL-30: with neither a keyring nor CHOIR_SECRET_KEY, keys are in a file for this user alone, and that is said", async () => {
  const secrets = openSecrets({ home, env: {} });
  await secrets.set("model.a", KEY);
  expect(await openSecrets({ home, env: {} }).get("model.a")).toBe(KEY);
  expect((await stat(join(home, "secrets.json"))).mode & 0o777).toBe(0o600);
  expect(await secrets.where()).toBe(
    `Keys are kept in the file ${join(home, "secrets.json")}, which only you can read, and which isn't encrypted.`,
  );
  await secrets.remove("model.a");
  expect(await secrets.get("model.a")).toBeUndefined();
  expect(await readdir(home)).toEqual([]);
});

test("MODEL-30: names that objects have by themselves are no keys", async () => {
  const secrets = openSecrets({ home, env: {} });
  await secrets.set("model.a", KEY);
  expect(await secrets.get("constructor")).toBeUndefined();
  expect(await secrets.get("__proto__")).toBeUndefined();
});

test("MODEL-30: keys that are set at the same time are all kept", async () => {
  const secrets = openSecrets({ home, env: {} });
  const names = Array.from({ length: 10 }, (_, number) => `model.${number}`);
  await Promise.all(names.map((name) => secrets.set(name, name)));
  expect(await Promise.all(names.map((name) => secrets.get(name)))).toEqual(names);
});

test("MODEL-31: with CHOIR_SECRET_KEY they are encrypted, and another one doesn't open them", async () => {
  const secrets = openSecrets({ home, env: { CHOIR_SECRET_KEY: "a passphrase" } });
  await secrets.set("model.a", KEY);
  await secrets.set("model.b", "other");
  expect(await readdir(home)).toEqual(["secrets-encrypted.json"]);
  expect((await stat(join(home, "secrets-encrypted.json"))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(home, "secrets-encrypted.json"), "utf8")).not.toContain("wxyz");
  expect(await secrets.where()).toContain("encrypted with CHOIR_SECRET_KEY");
  const again = openSecrets({ home, env: { CHOIR_SECRET_KEY: "a passphrase" } });
  expect([await again.get("model.a"), await again.get("model.b")]).toEqual([KEY, "other"]);

  const wrong = openSecrets({ home, env: { CHOIR_SECRET_KEY: "another" } });
  await expect(wrong.get("model.a")).rejects.toThrow("doesn't open with this CHOIR_SECRET_KEY");
  await expect(wrong.set("model.c", "new")).rejects.toThrow("doesn't open with this CHOIR_SECRET_KEY");
});

test("MODEL-31: an encrypted key can't be put in another's place", async () => {
  const env = { CHOIR_SECRET_KEY: "a passphrase" };
  const secrets = openSecrets({ home, env });
  await secrets.set("model.a", KEY);
  await secrets.set("model.b", "other");
  const file = join(home, "secrets-encrypted.json");
  const entries = JSON.parse(await readFile(file, "utf8"));
  entries.secrets["model.b"] = entries.secrets["model.a"];
  await writeFile(file, JSON.stringify(entries));
  await expect(secrets.get("model.b")).rejects.toThrow("doesn't open");
});

test("MODEL-31: what was kept before is still found, and moves when it is set again", async () => {
  await openSecrets({ home, env: {} }).set("model.a", KEY);
  const secrets = openSecrets({ home, env: { CHOIR_SECRET_KEY: "a passphrase" } });
  expect(await secrets.get("model.a")).toBe(KEY);
  await secrets.set("model.a", KEY);
  expect(await readdir(home)).toEqual(["secrets-encrypted.json"]);
});

test("MODEL-32: where there is a keyring, keys are there and nowhere else, and in no argument", async () => {
  const { program, env, kept, called } = await keyring();
  const secrets = openSecrets({ home, env, program });
  await secrets.set("model.a", KEY);
  expect(await secrets.get("model.a")).toBe(KEY);
  expect(await secrets.get("model.b")).toBeUndefined();
  expect(await secrets.where()).toBe("Keys are kept in this system's keyring.");
  expect(await readdir(kept)).toHaveLength(1);
  expect(await readdir(home)).not.toContain("secrets.json");
  expect(await readFile(called, "utf8")).not.toContain(KEY);
  expect(await openSecrets({ home: join(home, "other"), env, program }).get("model.a")).toBeUndefined();
  await secrets.remove("model.a");
  expect(await secrets.get("model.a")).toBeUndefined();
});

test.each([
  ["isn't installed", "no-such-program"],
  ["says that no keyring runs", "#!/bin/sh\necho 'Cannot autolaunch D-Bus' >&2\nexit 1\n"],
  ["doesn't answer", "#!/bin/sh\nexec sleep 60\n"],
])("MODEL-32: a keyring that %s is done without", async (_, script) => {
  const program = script.startsWith("#!") ? await programOf(script) : script;
  const env = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", PATH: process.env.PATH };
  const secrets = openSecrets({ home, env, program, timeoutMs: 300 });
  await secrets.set("model.a", KEY);
  expect(await secrets.where()).toContain("secrets.json");
});

test("MODEL-33: of a key the last four characters are shown, and of a short one none", () => {
  expect([lastFour(KEY), lastFour("12345678901"), lastFour("")]).toEqual(["…wxyz", "…", "…"]);
});

test("MODEL-30: a file that isn't what was written there is told of, without what is in it", async () => {
  await writeFile(join(home, "secrets.json"), `{"model.a": "${KEY}"`);
  const told = await openSecrets({ home, env: {} })
    .get("model.a")
    .catch((error: unknown) => String(error));
  expect(told).toContain("Remove it, and connect the providers again");
  expect(told).not.toContain("wxyz");
});

/** Does what `secret-tool` does, with files for a keyring. */
async function keyring() {
  const kept = join(home, "keyring");
  const called = join(home, "called");
  await mkdir(kept);
  const program = await programOf(`#!/bin/sh
echo "$@" >> '${called}'
verb=$1
shift
case "$1" in --label=*) shift ;; esac
file='${kept}'/$(echo "$*" | tr ' /' '__')
case "$verb" in
  store) cat > "$file" ;;
  lookup) [ -e "$file" ] || exit 1; cat "$file" ;;
  clear) rm -f "$file" ;;
esac
`);
  return { program, kept, called, env: { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere", PATH: process.env.PATH } };
}

async function programOf(script: string): Promise<string> {
  const program = join(home, "secret-tool");
  await writeFile(program, script);
  await chmod(program, 0o700);
  return program;
}
