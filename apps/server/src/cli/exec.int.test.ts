import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { describe, expect, test } from "vitest";
import { OutputClosed } from "../command-error.ts";
import type { Home } from "../home.ts";
import { serve } from "../testing/served-home.ts";
import { choir, choirBytes, tempHome } from "../testing/temp-home.ts";

keepThreads();

const MB = 1024 * 1024;
const workspace = (home: Home, name: string) => join(home.rootOf("ada"), "workspace", name);
const sh = (line: string, ...options: string[]) => ["exec", "--user", "ada", ...options, "--", "sh", "-c", line];

describe.each(["folder", "server"])("a command through the %s", (way) => {
  async function home(): Promise<Home> {
    const made = tempHome();
    if (way === "server") await serve(made);
    return made;
  }

  test("CMD-1: its output and errors come apart, its exit status is passed on, and what to do about it is said", async () => {
    const at = await home();
    const ran = await choir(at, sh("echo out; echo err >&2; echo x > a.txt; exit 3"));
    const [, call] = /call:(\S+);/.exec(ran.aside) ?? [];
    expect(ran).toMatchObject({ exit: 3, out: "out\n" });
    expect(ran.aside).toMatch(
      /^err\nExit 3\. Changed 1 path: event \d+, call:\S+; 'choir undo call:\S+' takes it back\n$/,
    );
    expect(readFileSync(workspace(at, "a.txt"), "utf8")).toBe("x\n");
    const undone = await choir(at, ["undo", `call:${call}`]);
    expect(undone).toMatchObject({ exit: 0, out: expect.stringContaining("1 path") });
    expect(existsSync(workspace(at, "a.txt"))).toBe(false);
  });

  test("CMD-2: with --json the outcome is one object, and all that the command says is on standard error", async () => {
    const at = await home();
    const { exit, out, aside } = await choir(at, sh("echo out; echo err >&2; exit 4", "--json"));
    expect(JSON.parse(out)).toEqual({
      ...{ seq: expect.any(Number), call: expect.any(String), exit: 4, how: "exited", limit: null, changed: 0 },
      ...{ ignored: false, blocked: [], notes: [] },
    });
    expect({ exit, said: aside.split("\n").sort() }).toEqual({ exit: 4, said: ["", "err", "out"] });
  });

  test("CMD-7: that it changed what is ignored is said in one line, and in --json", async () => {
    const at = await home();
    const both = await choir(at, sh("mkdir -p node_modules/x; echo x > node_modules/x/f; echo a > a.txt"));
    expect(both.aside).toMatch(
      /^Changed 1 path: .* takes it back\nIt also changed what is ignored, which no undo brings back\n$/,
    );
    const read = await choir(at, sh("cat node_modules/x/f > /dev/null; ls -R > /dev/null", "--json"));
    expect(JSON.parse(read.out)).toMatchObject({ changed: 0, ignored: false });
    const only = await choir(at, sh("rm -rf node_modules"));
    expect(only.aside).toMatch(/^Changed only what is ignored, which no undo brings back: event \d+, call:\S+\n$/);
    const made = await choir(at, sh("mkdir dist; chmod 700 dist", "--json"));
    expect(JSON.parse(made.out)).toMatchObject({ changed: 0, ignored: true });
  });

  test("CMD-2: 20 MB come through as they are, in order, and nothing piles up", async () => {
    const at = await home();
    const before = process.memoryUsage().arrayBuffers;
    let waiting: number | undefined;
    const onOutput = async () => {
      if (waiting !== undefined) return;
      waiting = 0;
      await delay(300); // long enough for everything that isn't held back to come
      waiting = process.memoryUsage().arrayBuffers - before;
    };
    const line = "head -c 20971520 /dev/zero | tr '\\0' a; echo end";
    const { exit, out } = await choirBytes(at, sh(line), { onOutput });
    const end = out.subarray(-4).toString();
    expect({ exit, length: out.length, end }).toEqual({ exit: 0, length: 20 * MB + 4, end: "end\n" });
    expect(waiting).toBeLessThan(8 * MB);
  });

  test("SBX-3: it reads 20 MB of standard input to the end", async () => {
    const at = await home();
    const { exit, out } = await choir(at, sh("wc -c; cat; echo over"), { input: Buffer.alloc(20 * MB, "x") });
    expect({ exit, out }).toEqual({ exit: 0, out: `${20 * MB}\nover\n` });
  });

  test("SBX-3: it need not read what it is given, also where that has no end", async () => {
    const at = await home();
    async function* endless() {
      for (;;) yield Buffer.alloc(64 * 1024);
    }
    expect(await choir(at, sh("echo done"), { input: endless() })).toMatchObject({ exit: 0, out: "done\n" });
    async function* silent() {
      await new Promise(() => {});
      yield Buffer.alloc(0);
    }
    expect(await choir(at, sh("echo done"), { input: silent() })).toMatchObject({ exit: 0, out: "done\n" });
  });

  test("SBX-3: a keyboard is not read", async () => {
    const at = await home();
    async function* keyboard() {
      yield Buffer.from("typed");
      throw new Error("somebody read the keyboard");
    }
    expect(await choir(at, sh("cat"), { typed: true, input: keyboard() })).toMatchObject({ exit: 0, out: "" });
  });

  test("CMD-6: an input that breaks off stops the command, and nothing of it is kept", async () => {
    const at = await home();
    async function* broken() {
      yield Buffer.from("the first half");
      throw new Error("the disk is gone");
    }
    const { exit, aside } = await choir(at, sh("cat > part.txt"), { input: broken() });
    expect({ exit, aside, landed: existsSync(workspace(at, "part.txt")) }).toEqual({
      ...{ exit: 1, aside: "choir: the disk is gone\n", landed: false },
    });
  });

  test("CMD-6: Ctrl-C ends the command, and with it what it did; the exit status is 130", async () => {
    const at = await home();
    const stop = new AbortController();
    const onOutput = () => stop.abort();
    const ran = await choir(at, sh("echo x > a.txt; echo begun; sleep 1000"), { signal: stop.signal, onOutput });
    expect(ran).toMatchObject({ exit: 130, out: "begun\n" });
    expect(ran.aside).toMatch(/^Stopped\. Changed nothing: event \d+, call:\S+\nnothing of what it did was kept\n$/);
    expect(existsSync(workspace(at, "a.txt"))).toBe(false);
    expect((await choir(at, ["files"])).out).toBe("");
  });

  test("CMD-6: Ctrl-C while nobody takes the input, and what was done is to be kept", async () => {
    const at = await home();
    const stop = new AbortController();
    async function* endless() {
      for (;;) yield Buffer.alloc(64 * 1024);
    }
    const words = sh("echo x > a.txt; echo begun; sleep 1000", "--keep", "--json");
    const onAside = () => stop.abort();
    const ran = await choir(at, words, { signal: stop.signal, input: endless(), onAside });
    expect(ran.exit).toBe(130);
    expect(JSON.parse(ran.out)).toMatchObject({ how: "killed", exit: null, changed: 1 });
    expect(existsSync(workspace(at, "a.txt"))).toBe(true);
  });

  test("CMD-6: where nobody reads what it writes any more, it is stopped, and that is said", async () => {
    const at = await home();
    const onOutput = () => {
      throw new OutputClosed();
    };
    const ran = await choir(at, sh("echo x > a.txt; yes"), { onOutput });
    expect(ran).toMatchObject({ exit: 141, aside: expect.stringContaining("nothing of what it did was kept") });
    expect((await choir(at, ["files"])).out).toBe("");
  });

  test("CMD-6: out of time, nothing is left, unless it is to be kept", async () => {
    const at = await home();
    const line = "echo x > a.txt; sleep 1000";
    const ended = await choir(at, sh(line, "--timeout", "0.3"));
    expect(ended).toMatchObject({
      exit: 124,
      aside: expect.stringContaining("limit on time (--timeout, or limits.time_s)"),
    });
    expect(ended.aside).toContain("nothing of what it did was kept");
    expect(existsSync(workspace(at, "a.txt"))).toBe(false);
    const kept = await choir(at, sh(line, "--timeout", "1.5", "--keep", "--json"));
    expect(kept.exit).toBe(124);
    expect(JSON.parse(kept.out)).toMatchObject({ exit: null, how: "limit", limit: "time", changed: 1 });
    expect(existsSync(workspace(at, "a.txt"))).toBe(true);
  });

  test("SBX-41: a command that takes too much memory is ended, and told so", async () => {
    const at = await home();
    const { exit, aside } = await choir(at, sh("tail /dev/zero", "--memory", "64"));
    expect({ exit, aside }).toEqual({ exit: 137, aside: expect.stringContaining("it reached its limit on memory") });
  });

  test.each([
    ["exit 0", 0],
    ["exit 125", 125],
    ["kill -TERM $$", 143],
    ["kill -SEGV $$", 139],
    ["no-such-program", 127],
  ])("SBX-1: '%s' ends with %i", async (line, status) => {
    expect((await choir(await home(), sh(line))).exit).toBe(status);
  });

  test("SBX-4: it begins in the folder it is told", async () => {
    const at = await home();
    await choir(at, sh("mkdir -p 'a b/c'; echo hello > 'a b/c/d'"));
    expect(await choir(at, sh("cat d", "--cwd", "a b/c"))).toMatchObject({ exit: 0, out: "hello\n" });
    expect(await choir(at, sh("pwd", "--cwd", "/artifacts"))).toMatchObject({
      exit: 0,
      out: "/home/choir/artifacts\n",
    });
    await choir(at, sh("ln -s 'a b' near; ln -s /home/choir/artifacts far"));
    expect((await choir(at, sh("ls", "--cwd", "near"))).out).toBe("c\n");
    expect((await choir(at, sh("pwd -P", "--cwd", "far"))).out).toBe("/home/choir/artifacts\n");
  });

  test("SBX-4: a folder that isn't there is wrong usage, said before anything is in the log", async () => {
    const at = await home();
    await choir(at, sh("mkdir a; echo > a/file; ln -s gone link; ln -s round round; mkfifo fifo"));
    const before = (await choir(at, ["events"])).out;
    for (const none of ["none", "a/none", "a/file/none", "link", "round"]) {
      const aside = `choir: there is no folder ${none} to run a command in\n`;
      expect(await choir(at, sh("pwd", "--cwd", none))).toMatchObject({ exit: 2, out: "", aside });
    }
    const aside = "choir: a/file is no folder: a command runs in one\n";
    expect(await choir(at, sh("pwd", "--cwd", "a/file"))).toMatchObject({ exit: 2, out: "", aside });
    expect((await choir(at, ["events"])).out).toBe(before);
  });

  test("SBX-5: it has the variables it is given, and none of ours", async () => {
    const at = await home();
    const { out } = await choir(at, sh('echo "$A|$B|$CHOIR_HOME"', "--env", "A=1=2", "--env", "B="), {
      env: { CHOIR_HOME: "x" },
    });
    expect(out).toBe("1=2||\n");
  });

  test("CMD-9: two at once, each with its own event and its own undo", async () => {
    const at = await home();
    if (way === "folder") await choir(at, sh("true")); // one computer is made by one command
    const both = ["a", "b"].map((name) => choir(at, sh(`echo ${name} > ${name}.txt; sleep 0.2`, "--json")));
    const [a] = (await Promise.all(both)).map(({ out }) => JSON.parse(out));
    expect(a).toMatchObject({ exit: 0, changed: 1 });
    await choir(at, ["undo", `call:${a.call}`]);
    expect(readdirSync(workspace(at, "."))).toEqual(["b.txt"]);
  });

  test("CMD-8: neither the log nor another computer can be seen", async () => {
    const at = await home();
    await choir(at, sh("true"));
    mkdirSync(join(at.path, "users/eve/workspace"), { recursive: true });
    writeFileSync(join(at.path, "users/eve/workspace/secret"), "eve's");
    symlinkSync(join(at.path, "users/eve/workspace/secret"), workspace(at, "way"));
    const { exit, out } = await choir(at, sh(`cat way; ls -A /home/choir; ls ${at.path}`));
    expect({ exit: exit > 0, out }).toEqual({ exit: true, out: "artifacts\nchoiros\nworkspace\n" });
  });

  test("NET-1, NET-11: it reaches nothing unless that is allowed; a refusal is in the log with its call", async () => {
    const at = await home();
    const line = "curl -sS -o /dev/null http://example.com/ && echo reached";
    expect((await choir(at, sh(line))).exit).toBeGreaterThan(0);
    const refused = await choir(at, sh("curl -s http://other.example/", "--allow", "one.example"));
    expect(refused.out).toMatch(/other\.example.*isn't on the list of hosts \(allowed: one\.example\)/s);
    const { out } = await choir(at, ["events", "--type", "receipt.net", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ payload: { host: "other.example", port: 80, allowed: false } });
  });

  test("what it writes to a screen can't command it, and what is said next begins on a line of its own", async () => {
    const at = await home();
    const ran = await choir(at, sh("printf 'a\\033[2Jb\\tc\\r\\nd'; printf e >&2"), { screen: true });
    expect(ran.out).toBe("a\\u{1b}[2Jb\tc\nd");
    expect(ran.aside).toMatch(/^e\nChanged nothing: event \d+, call:\S+\n$/);
  });
});

test.each([
  [["exec"], "'--' is missing before what is to run"],
  [["exec", "ls", "-l"], "'--' is missing before what is to run, as in 'choir exec -- ls -l'"],
  [["exec", "--"], "CMD is missing"],
  [["exec", "ls", "--", "-l"], "Unexpected argument 'ls'"],
  [["exec", "--bogus", "--", "ls"], "Unknown option '--bogus'"],
  [["exec", "--timeot", "3", "--", "ls"], "did you mean '--timeout'?"],
  [["exec", "--timeout", "soon", "--", "ls"], "--timeout takes a number of seconds, more than 0, not 'soon'"],
  [["exec", "--timeout", "0", "--", "ls"], "--timeout takes a number of seconds"],
  [["exec", "--memory", "-5", "--", "ls"], "--memory takes a number of megabytes, at least 16"],
  [["exec", "--memory", "1", "--", "ls"], "--memory takes a number of megabytes, at least 16"],
  [["exec", "--env", "=x", "--", "ls"], "--env takes NAME=VALUE, not '=x'"],
  [["exec", "--cwd", "../x", "--", "ls"], "'../x' can't be a path"],
  [["exec", "--cwd", "/etc", "--", "ls"], "'/etc' is not in the computer"],
  [["exec", "--cwd", "caf//e9", "--", "ls"], "isn't UTF-8"],
  [["exec", "--allow", "127.0.0.1", "--", "true"], "--allow takes a host's name"],
  [["exec", "--allow", "*.example.com", "--", "true"], "--allow takes a host's name"],
  [["exec", "--allow", "", "--", "true"], "--allow takes a host's name"],
])("wrong usage runs nothing and makes nothing: %j", async (words, message) => {
  const home = tempHome();
  const { exit, out, aside } = await choir(home, words);
  expect({ exit, out, aside }).toEqual({ exit: 2, out: "", aside: expect.stringContaining(message) });
  expect(home.computers()).toEqual([]);
});

test("words behind '--' are the command's own, whatever they look like", async () => {
  const home = tempHome();
  const words = ["exec", "--user", "ada", "--", "printf", "%s\\n", "--help", "--json", "--", "-5", ""];
  expect(await choir(home, words)).toMatchObject({ exit: 0, out: "--help\n--json\n--\n-5\n\n" });
});
