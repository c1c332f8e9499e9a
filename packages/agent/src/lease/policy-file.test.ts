import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DEFAULT_POLICY } from "./policy.ts";
import { openPolicy, type PolicyFile, policyVersion } from "./policy-file.ts";

let home = "";
let policy: PolicyFile;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "choir-policy-"));
  policy = openPolicy(home);
});
afterEach(() => rmSync(home, { recursive: true }));

const write = (text: string) => writeFileSync(policy.file, text);
const text = () => readFileSync(policy.file, "utf8");
const version = async () => policyVersion(await policy.text());

test("LEASE-4: without a file the defaults hold; a file to begin with says the same", async () => {
  expect(await policy.read()).toEqual({ ok: true, policy: DEFAULT_POLICY });
  expect(await policy.write(await policy.text(), await version())).toEqual({ ok: true, policy: DEFAULT_POLICY });
  expect(await policy.read()).toEqual({ ok: true, policy: DEFAULT_POLICY });
});

test("LEASE-4: what a file doesn't say is as by default", async () => {
  write('ask = ["network *"]\n[limits.day]\ncost_usd = 1.5\n');
  const read = await policy.read();
  expect(read).toMatchObject({ ok: true, policy: { ask: ["network *"], allow: DEFAULT_POLICY.allow } });
  expect(read).toMatchObject({ policy: { limits: { day: { ...DEFAULT_POLICY.limits.day, cost_usd: 1.5 } } } });
});

test.each([
  ["allow = [\n", 2, "is not TOML"],
  ['# mine\nallow = [\n  "read /",\n  "fly /", # no\n]\n', 4, "allow: 'fly /' must begin with one of"],
  ['ask = ["network *"]\nallowed = []\n', 2, "allowed is not a key. Keys: allow, ask, never, always, limits"],
  [`ask = []\nsk-${"x".repeat(40)} = 1\n`, 2, ": … is not a key. Keys: allow"],
  ["[limits.task]\nsteps = 5\n[limits.day]\nsteps = -1\n", 4, "limits.day.steps"],
  ["[limits.task]\nstep = 5\n", 2, "limits.task.step is not a key. Keys: steps, tokens"],
  ["[limits.week]\nsteps = 5\n", 1, "limits.week is not a key. Keys: task, ask, day"],
  ['never = "all"\n', 1, "never"],
])("LEASE-4: %j is refused with its line", async (wrong, line, why) => {
  write(wrong);
  const read = await policy.read();
  expect(read).toMatchObject({ ok: false, line, message: expect.stringContaining(why) });
  expect(read).toMatchObject({ message: expect.stringContaining(`${policy.file}:${line}: `) });
  expect(await policy.allowAlways(["edit a"])).toMatchObject({ ok: false });
  expect(await policy.write(wrong, await version())).toMatchObject({ ok: false });
  expect(text()).toBe(wrong);
});

test("LEASE-5: the first thing that is always allowed makes the file, for its owner alone", async () => {
  await policy.allowAlways(["network example.org"]);
  expect(text()).toContain('always = [\n  "network example.org",\n]\n');
  expect(statSync(policy.file).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(["policy.toml"]);
  expect(await policy.read()).toEqual({ ok: true, policy: { ...DEFAULT_POLICY, always: ["network example.org"] } });
});

test.each([
  [
    "# top\nask = []\n\n[limits.task] # mine\nsteps = 1\n",
    '# top\nask = []\n\nalways = [\n  "edit a",\n]\n\n[limits.task] # mine\nsteps = 1\n',
  ],
  ["always = []", 'always = [\n  "edit a",\n]'],
  ['always = ["edit b"] # b\n', 'always = ["edit b",\n  "edit a",\n] # b\n'],
  [
    'always = [\n  "edit b", # why b ]\n  # and no more\n]\nask = ["edit /choiros"]\n',
    'always = [\n  "edit b", # why b ]\n  # and no more\n  "edit a",\n]\nask = ["edit /choiros"]\n',
  ],
  [
    'always = [\n  \'edit ]\', # odd\n  "edit \\"#\\""\n]\n',
    'always = [\n  \'edit ]\', # odd\n  "edit \\"#\\"",\n  "edit a",\n]\n',
  ],
  ["", 'always = [\n  "edit a",\n]\n\n'],
  ["ask = []", 'ask = []\nalways = [\n  "edit a",\n]\n\n'],
])("LEASE-5: a line is added to %j, and all else stays", async (before, after) => {
  write(before);
  expect(await policy.allowAlways(["edit a", "edit a"])).toMatchObject({ ok: true });
  expect(text()).toBe(after);
  await policy.allowAlways(["edit a"]);
  expect(text()).toBe(after);
});

test("LEASE-5: several at once are all kept", async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `edit f${i}`);
  await Promise.all(lines.map((line) => policy.allowAlways([line])));
  expect(await policy.read()).toMatchObject({ policy: { always: lines } });
});

test("LEASE-5: a path of any name is kept as it is", async () => {
  const line = 'edit "a\\nb\\u202e\\"c"';
  await policy.allowAlways([line]);
  expect(await policy.read()).toMatchObject({ ok: true, policy: { always: [line] } });
});

test("LEASE-5: what is written over what somebody else has saved meanwhile is refused; the lines that were allowed stay", async () => {
  const before = await version();
  await policy.allowAlways(["edit a"]);
  const stale = { ok: false, stale: true, message: expect.stringContaining("was changed meanwhile") };
  expect(await policy.write("allow = []\n", before)).toEqual(stale);
  expect(text()).toContain('"edit a"');
  const both = [policy.write("allow = []\n", await version()), policy.allowAlways(["edit b"])];
  expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }]);
  expect(text()).toBe('allow = []\nalways = [\n  "edit b",\n]\n\n');
  const read = await version();
  write("# by hand\n");
  expect(await policy.write("allow = []\n", read)).toEqual(stale);
  expect(text()).toBe("# by hand\n");
});

test("LEASE-4: a file with nothing in it says what one to begin with does", async () => {
  const first = await policy.text();
  expect(await policy.write(" \n", await version())).toEqual({ ok: true, policy: DEFAULT_POLICY });
  expect([text(), await policy.text()]).toEqual([" \n", first]);
});
