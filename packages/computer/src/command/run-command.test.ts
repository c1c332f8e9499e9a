import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { recognise, references } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { type CommandDesk, commandStage, type GroundName, undoneWhole } from "../testing/command-stage.ts";
import { computerStage, done } from "../testing/computer-stage.ts";
import { dirText, fileText } from "../testing/trees.ts";
import { CARRIES } from "./overlay-ground.ts";
import type { Output } from "./record-output.ts";

const commandlessStage = computerStage();

/** A project with a bit of everything in it. */
async function project(desk: CommandDesk): Promise<void> {
  desk.outside("src/main.ts", "one\ntwo\nthree\n");
  desk.outside("src/deep/er/leaf.txt", "leaf");
  desk.outside("run.sh", "#!/bin/sh\n", 0o755);
  desk.outside("blob.bin", Buffer.from([0, 1, 2, 255]));
  mkdirSync(desk.at("empty"));
  symlinkSync("src/main.ts", desk.at("link"));
  writeFileSync(Buffer.concat([Buffer.from(`${desk.at("")}/odd-`), Buffer.from([0xff, 0xfe])]), "odd name");
  await desk.computer.capture();
}

describe.each(["overlay", "live"] satisfies GroundName[])("commands on the %s folder", (ground) => {
  const stage = commandStage(ground);

  test("CMD-1: the call is in the log before it starts, then what it did as one event, then how it ended", async () => {
    const desk = await stage();
    await desk.write("a.txt", "1\n");
    const ran = await desk.sh("echo 2 >> a.txt; echo new > b.txt; echo said; echo aside >&2; exit 3");
    expect(ran).toMatchObject({ exit: 3, how: "exited", changed: 2, engine: "bubblewrap" });
    const events = (await desk.events()).filter(({ cause }) => cause?.call === ran.call);
    expect(events.map(({ type, source }) => `${source} ${type}`)).toEqual([
      "user tool.call",
      "user files.changed",
      "user tool.result",
    ]);
    expect(events.at(-1)).toMatchObject({ seq: ran.seq, payload: { exit: 3, status: "failed" } });
    expect(desk.disk()).toEqual({ "workspace/a.txt": fileText("1\n2\n"), "workspace/b.txt": fileText("new\n") });
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("CMD-2: what it says is handed on as it comes, and kept", async () => {
    const desk = await stage();
    const ran = await desk.sh("echo out; echo err >&2");
    expect(ran.said.split("\n").sort()).toEqual(["", "err", "out"]);
    const [result] = (await desk.events()).slice(-1);
    const output = { hash: expect.any(String), size: 8 };
    expect(result).toMatchObject({ type: "tool.result", payload: { output } });
    const known = result && recognise(result);
    const kept = known?.ok ? references(known.value).contents : [];
    expect(await Promise.all(kept.map(({ hash }) => desk.computer.contents.check(hash)))).toEqual(["present"]);
  });

  test("CMD-3: one that changes nothing makes no event of changes, also where it wrote the same again", async () => {
    const desk = await stage();
    await project(desk);
    const ran = await desk.sh(
      "cp src/main.ts /tmp/x; cat /tmp/x > src/main.ts; chmod 755 run.sh; touch blob.bin; true",
    );
    expect(ran.changed).toBe(0);
    expect((await desk.events()).slice(-2).map(({ type }) => type)).toEqual(["tool.call", "tool.result"]);
  });

  test.each([
    ["everything is removed", "rm -rf ./* ./.[!.]*"],
    ["a directory is moved", "mv src lib"],
    ["a file is moved", "mv src/main.ts moved.ts"],
    ["a file is edited in place", "sed -i s/two/2/ src/main.ts"],
    ["only a mode is changed", "chmod 600 run.sh"],
    ["a directory's mode is changed", "chmod 700 src"],
    ["a directory is replaced by another of its name", "rm -rf src; mkdir src; echo new > src/other.ts"],
    ["a directory becomes a file", "rm -rf src; echo file > src"],
    ["a file becomes a directory", "rm run.sh; mkdir run.sh; echo in > run.sh/in"],
    ["a link becomes a file", "rm link; echo file > link"],
    ["a file becomes a link", "ln -sf blob.bin run.sh"],
    ["a loop of links", "ln -s two one; ln -s one two; ln -s . self"],
    ["hard links, which become files of their own", "ln blob.bin second.bin; echo more >> second.bin"],
    [
      "names that aren't UTF-8",
      "printf x > \"$(printf 'a\\377b')\"; rm -f odd-*; mkdir \"$(printf 'd\\376')\"; echo y > \"$(printf 'd\\376')/in\"",
    ],
    ["names with spaces, quotes and line ends", 'printf x > "a b\'\\"c"; printf y > "$(printf \'l1\\nl2\')"'],
    ["a directory that is closed", "mkdir d; echo x > d/x; chmod 500 d"],
    ["a hidden directory, deep", "mkdir -p .config/a/b; echo x > .config/a/b/c; rm -rf empty"],
  ])("CMD-4: %s: the log and the folder are alike, and an undo gives all of it back", async (_, line) => {
    const desk = await stage();
    await project(desk);
    await undoneWhole(desk, line);
  });

  test("CMD-19: a file has the time the command left it with, also where only that is new, and no event is made of it", async () => {
    const desk = await stage();
    const timeOf = (name: string) => statSync(join(desk.root, "workspace", name)).mtimeMs / 1000;
    await desk.sh(
      "echo built > a; head -c 100000 /dev/zero > large; echo source > z; touch -d @1000000001 a large; touch -d @1000000000 z",
    );
    expect(["a", "large", "z"].map(timeOf)).toEqual([1_000_000_001, 1_000_000_001, 1_000_000_000]);
    const touched = await desk.sh("echo built > a; touch -d @1000000002 a large");
    expect(touched).toMatchObject({ changed: 0, notes: [] });
    expect(["a", "large", "z"].map(timeOf)).toEqual([1_000_000_002, 1_000_000_002, 1_000_000_000]);
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("CMD-4: a checkout of another branch is taken back whole, with git's own folder", async () => {
    const desk = await stage();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", "-C", desk.at("repo"), ...args]);
    mkdirSync(desk.at("repo"));
    git("init", "-q", "-b", "main");
    desk.outside("repo/a.txt", "main\n");
    git("add", "-A");
    git("commit", "-qm", "one");
    git("checkout", "-qb", "other");
    desk.outside("repo/a.txt", "other\n");
    desk.outside("repo/only-here.txt", "x\n");
    git("add", "-A");
    git("commit", "-qm", "two");
    await desk.computer.capture();
    await undoneWhole(desk, "cd repo && git checkout -q main");
  });

  test("CMD-5: a FIFO is refused with a word, and what is beside it is kept", async () => {
    const desk = await stage();
    const ran = await desk.sh("mkfifo pipe; echo x > beside");
    expect(ran.notes.join()).toMatch(/pipe is a FIFO, which can't be kept/);
    expect(await desk.text("beside")).toBe("x\n");
  });

  test("CMD-6: ended before its time, nothing of it stays", async () => {
    const desk = await stage();
    await project(desk);
    const before = desk.disk();
    const limit = await desk.sh("rm -rf src; echo x > new; sleep 60", { limits: { timeMs: 300 } });
    expect(limit).toMatchObject({ how: "limit", limit: "time", changed: 0 });
    expect(desk.disk()).toEqual(before);
    expect(await desk.tree()).toEqual(before);
    const stop = new AbortController();
    const onOutput = () => stop.abort();
    const killed = await desk.sh("rm -rf src; echo x > new; echo ready; sleep 60", { signal: stop.signal, onOutput });
    expect(killed).toMatchObject({ how: "killed", exit: null, changed: 0 });
    expect(desk.disk()).toEqual(before);
    expect((await desk.events()).at(-1)).toMatchObject({ type: "tool.result", payload: { status: "stopped" } });
  });

  test("CMD-20: one that runs is stopped by its call, and no other is", async () => {
    const desk = await stage();
    const call = async () => (await desk.computer.unfinished()).events[0]?.cause?.call ?? "";
    const onOutput = async () => {
      desk.computer.stop("another");
      desk.computer.stop(await call());
    };
    expect(await desk.sh("echo x > new; echo ready; sleep 60", { onOutput })).toMatchObject({ how: "killed" });
    expect((await desk.events()).at(-1)).toMatchObject({ type: "tool.result", payload: { status: "stopped" } });
    expect(await call()).toBe("");
  });

  test("CMD-23: what it wrote so far, and what it writes until its end, is heard by its call while it runs", async () => {
    const desk = await stage();
    const heard: Promise<Uint8Array[]>[] = [];
    const onOutput = () => void heard.push(Array.fromAsync(desk.computer.spoken("it") ?? []));
    await desk.sh("for i in 1 2 3; do echo $i; sleep 0.4; done", { cause: { call: "it" }, onOutput });
    expect(heard.length).toBeGreaterThan(1); // who came with the last line has the first as well
    for (const pieces of heard) expect(Buffer.concat(await pieces).toString()).toBe("1\n2\n3\n");
    expect(desk.computer.spoken("it")).toBeUndefined();
  });

  test("CMD-6: what earlier commands of its call did stays", async () => {
    const desk = await stage();
    const cause = { call: "the-same" };
    await desk.sh("echo 1 > a; echo 1 > b", { cause });
    const ended = await desk.sh("echo 2 > a; rm b; echo 2 > c; sleep 60", { cause, limits: { timeMs: 300 } });
    expect(ended).toMatchObject({ how: "limit", changed: 0 });
    expect(desk.disk()).toEqual({ "workspace/a": fileText("1\n"), "workspace/b": fileText("1\n") });
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("CMD-6: what is to be kept all the same is kept", async () => {
    const desk = await stage();
    const ran = await desk.sh("echo x > new; sleep 60", { limits: { timeMs: 1500 }, keep: true });
    expect(ran).toMatchObject({ how: "limit", changed: 1 });
    expect(await desk.text("new")).toBe("x\n");
  });

  test("CMD-7: what is ignored lands without an event, and stays where an undo takes the rest back", async () => {
    const desk = await stage();
    desk.outside("node_modules/old/index.js", "old");
    desk.outside("node_modules/kept/index.js", "kept");
    desk.outside("package.json", "{}");
    await desk.computer.capture();
    const ran = await desk.sh(
      "rm -rf node_modules/old; mkdir -p node_modules/new; echo n > node_modules/new/index.js; echo '{1}' > package.json",
    );
    expect(ran.changed).toBe(1);
    expect(existsSync(desk.at("node_modules/old"))).toBe(false);
    expect(readFileSync(desk.at("node_modules/new/index.js"), "utf8")).toBe("n\n");
    expect(readFileSync(desk.at("node_modules/kept/index.js"), "utf8")).toBe("kept");
    done(await desk.computer.undo({ call: ran.call }));
    expect(await desk.text("package.json")).toBe("{}");
    expect(existsSync(desk.at("node_modules/new/index.js"))).toBe(true);
    await desk.sh("rm -rf node_modules; mkdir node_modules; echo 1 > node_modules/only");
    expect(existsSync(desk.at("node_modules/kept"))).toBe(false);
    expect(readFileSync(desk.at("node_modules/only"), "utf8")).toBe("1\n");
  });

  test("CMD-8: neither the log nor another computer is there for a command", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    const { said } = await desk.sh("ls -a ..; ls ../.choir; cat ../.choir/log.sqlite; ls /home; true");
    expect(said).toMatch(/No such file or directory/);
    expect(said).not.toMatch(/log\.sqlite\n/);
    expect(lstatSync(join(desk.root, ".choir/log.sqlite")).isFile()).toBe(true);
  });

  test("CMD-9: two at once each have their own event", async () => {
    const desk = await stage();
    const both = await Promise.all([desk.sh("echo a > a; sleep 0.2"), desk.sh("echo b > b; sleep 0.2")]);
    expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(await desk.tree()).toEqual(desk.disk());
    if (ground === "live") return; // there nobody can tell whose is whose
    for (const { call, changed } of both) {
      expect(changed).toBe(1);
      done(await desk.computer.undo({ call }));
    }
    expect(desk.disk()).toEqual({});
  });

  test("CMD-10: without a program, the shell's own word is the answer", async () => {
    const desk = await stage();
    const outcome = await desk.computer.exec({ argv: ["/no/such/program"] });
    expect(outcome).toMatchObject({ ok: true, exit: 127 });
  });

  test("CMD-11: a command that was running when the process was gone is told as interrupted", async () => {
    const desk = await stage();
    const cause = { ask: "ask1", call: "interrupted1", task: "task1" };
    const input = await desk.computer.contents.put(Buffer.from("{}"));
    await desk.computer.log.append({ source: "user", type: "tool.call", cause, payload: { input, tool: "exec" } });
    const layer = join(desk.root, ".choir/layers/interrupted1");
    const again = await desk.again({ meanwhile: () => mkdirSync(join(layer, "upper/workspace"), { recursive: true }) });
    expect((await again.events()).at(-1)).toMatchObject({
      type: "tool.result",
      cause,
      payload: { status: "interrupted", reason: "ChoirOS stopped while it ran, and nothing of it was kept" },
    });
    expect(again.computer.notices.join()).toContain("interrupted1 was interrupted");
    expect(existsSync(layer)).toBe(false);
    const last = await again.head();
    expect(await (await again.again()).head()).toBe(last);
  });
});

test.each([
  [true, "after what it did was kept, but perhaps not all that it did to what is ignored"],
  [false, "and nothing of it was kept, but perhaps some of what it did to what is ignored"],
])("CMD-11: cut off before what is ignored was brought over, that is said (landed: %s)", async (landed, what) => {
  const desk = await commandlessStage();
  const cause = { call: "interrupted1" };
  const input = await desk.computer.contents.put(Buffer.from("{}"));
  await desk.computer.log.append({ source: "user", type: "tool.call", cause, payload: { input, tool: "exec" } });
  const after = { kind: "dir", mode: 0o755 } as const;
  const payload = { by: "command" as const, changes: [{ path: "workspace/d", before: null, after }] };
  if (landed) await desk.computer.log.append({ source: "user", type: "files.changed", cause, payload });
  const layer = join(desk.root, ".choir/layers/interrupted1");
  const again = await desk.reopen({ meanwhile: () => mkdirSync(join(layer, CARRIES), { recursive: true }) });
  const reason = `ChoirOS stopped while it ran, ${what}`;
  expect((await again.events()).at(-1)).toMatchObject({ cause, payload: { status: "interrupted", reason } });
});

describe("others at work while a command runs", () => {
  const stage = commandStage("overlay");
  /** Works while the command waits, after it has done one thing and before it does another. */
  const meanwhile = (desk: CommandDesk, [first, then]: [string, string], work: () => unknown) => {
    const worked = Promise.withResolvers<unknown>();
    async function* stdin() {
      await worked.promise;
      yield Buffer.from("go\n");
    }
    const onOutput = ({ from }: Output) => {
      if (from === "stdout") worked.resolve(work());
    };
    return desk.sh(`${first}; echo ready; read go; ${then}`, { stdin: stdin(), onOutput });
  };

  test("CMD-12: other lines of one file are put together", async () => {
    const desk = await stage();
    await desk.write("x", "1\n2\n3\n4\n5\n6\n");
    const ran = await meanwhile(desk, ["sed -i s/6/six/ x", "true"], () => desk.write("x", "one\n2\n3\n4\n5\n6\n"));
    expect(await desk.text("x")).toBe("one\n2\n3\n4\n5\nsix\n");
    expect(ran.notes.join()).toContain("both changes were put together");
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("CMD-12: the same lines are kept twice, and nothing is lost", async () => {
    const desk = await stage();
    await desk.write("x", "1\n");
    await meanwhile(desk, ["echo theirs > x", "true"], () => desk.write("x", "mine\n"));
    expect(await desk.text("x")).toBe("mine\n");
    expect(await desk.text("x (other version)")).toBe("theirs\n");
  });

  test("CMD-12: an edit from outside that nobody captured yet counts too", async () => {
    const desk = await stage();
    await desk.write("x", "1\n");
    await meanwhile(desk, ["true", "echo theirs > x"], () => desk.outside("x", "editor\n"));
    expect(await desk.text("x")).toBe("editor\n");
    expect(await desk.text("x (other version)")).toBe("theirs\n");
  });

  test("CMD-13: a deletion never covers what came or changed since the command began", async () => {
    const desk = await stage();
    await desk.write("d/old", "1");
    await desk.write("d/edited", "1");
    await desk.write("x", "1");
    await meanwhile(desk, ["true", "rm -rf d x"], async () => {
      await desk.write("d/new", "2");
      await desk.write("d/edited", "2");
      desk.outside("x", "2");
    });
    expect(desk.disk()).toEqual({
      "workspace/d": dirText(),
      "workspace/d/edited": fileText("2"),
      "workspace/d/new": fileText("2"),
      "workspace/x": fileText("2"),
    });
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("CMD-13: a directory that becomes a file while somebody works in it stays, and the file is kept beside it", async () => {
    const desk = await stage();
    await desk.write("d/old", "1");
    await meanwhile(desk, ["rm -rf d; echo file > d", "true"], () => desk.write("d/new", "2"));
    expect(desk.disk()).toEqual({
      "workspace/d": dirText(),
      "workspace/d (other version)": fileText("file\n"),
      "workspace/d/new": fileText("2"),
    });
  });

  test("CMD-13: what a command left in a directory that somebody made a file of is kept beside that", async () => {
    const desk = await stage();
    await desk.write("d/old", "1");
    await meanwhile(desk, ["echo more > d/more", "true"], async () => {
      done(await desk.computer.remove("workspace/d"));
      await desk.write("d", "a file now");
    });
    expect(await desk.text("d")).toBe("a file now");
    expect(await desk.text("d (other version)/more")).toBe("more\n");
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("CMD-7: a command that removes a directory leaves what came into its ignored ones, or changed there, since it began", async () => {
    const desk = await stage();
    desk.outside("proj/main.js", "1");
    for (const name of ["old", "changed"]) desk.outside(`proj/node_modules/pkg/${name}`, name);
    await desk.computer.capture();
    for (const [place, line] of [
      ["proj/node_modules/pkg", "rm -rf proj"],
      ["node_modules/pkg", "rm -rf node_modules"],
      ["dist", "rm -rf dist; mkdir dist; echo built > dist/built"],
    ] as const) {
      for (const name of ["old", "changed"]) desk.outside(`${place}/${name}`, name);
      await meanwhile(desk, ["true", line], () => {
        desk.outside(`${place}/new`, "came");
        desk.outside(`${place}/changed`, "changed since");
      });
      const left = readdirSync(desk.at(place)).sort();
      expect(left.filter((name) => name !== "built")).toEqual(["changed", "new"]);
      expect(readFileSync(desk.at(`${place}/changed`), "utf8")).toBe("changed since");
    }
    expect(readFileSync(desk.at("dist/built"), "utf8")).toBe("built\n");
    expect(existsSync(desk.at("proj/main.js"))).toBe(false);
  });

  test("CMD-7: a mark of what one command removed never lands where another removed all of it", async () => {
    const desk = await stage();
    for (const name of ["f", "y"]) desk.outside(`node_modules/pkg/${name}`, name);
    await desk.computer.capture();
    const first = "echo more >> node_modules/pkg/f; rm node_modules/pkg/y";
    await meanwhile(desk, [first, "true"], () => desk.sh("rm -rf node_modules"));
    expect(readdirSync(desk.at("node_modules/pkg"))).toEqual(["f"]);
    expect(readFileSync(desk.at("node_modules/pkg/f"), "utf8")).toBe("fmore\n");
  });

  test("CMD-13: what others removed and the command changed is there again", async () => {
    const desk = await stage();
    await desk.write("x", "1\n");
    const ran = await meanwhile(desk, ["echo 2 >> x", "true"], () => rmSync(desk.at("x")));
    expect(ran).toMatchObject({ changed: 1, notes: [expect.stringContaining("is there again")] });
    expect(await desk.text("x")).toBe("1\n2\n");
  });
});

test("CMD-14: without a sandbox nothing runs, and the reason is said", async () => {
  const desk = await commandlessStage();
  expect(await desk.computer.exec({ argv: ["true"] })).toMatchObject({ ok: false, reason: "missing" });
  expect(await desk.head()).toBe(1);
});
