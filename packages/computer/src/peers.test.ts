import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { computerStage, type Desk, done } from "./testing/computer-stage.ts";
import { closedPacked } from "./testing/packed.ts";
import { differing } from "./testing/tree-model.ts";
import { dirText, fileText } from "./testing/trees.ts";

// What burned the users of other tools, as their trackers tell it, from one end to the other: on real files.

const stage = computerStage();

/** What a shell command did: nobody told the computer. */
function shell(desk: Desk, command: string): void {
  execFileSync("sh", ["-c", command], { cwd: desk.at(""), stdio: "pipe" });
}

async function project(files = 40): Promise<Desk> {
  const desk = await stage();
  for (let i = 0; i < files; i++) desk.outside(`src/${i}.ts`, `export const n = ${i};\n`);
  desk.outside("README.md", "# Project\n");
  await desk.computer.capture();
  return desk;
}

describe("undo that destroys", () => {
  test("ACT-6: the undo of one edit leaves a whole workspace as it is, but for that file (cline 1213)", async () => {
    const desk = await project();
    const before = desk.disk();
    const { seq } = await desk.write("src/7.ts", "broken");
    done(await desk.computer.undo({ seq }));
    expect(desk.disk()).toEqual(before);
    const again = await desk.reopen();
    expect(again.disk()).toEqual(before);
  });

  test("ACT-6: later commits stay on their branch when something older is undone (cline 13550)", async () => {
    const desk = await project(3);
    const { seq } = await desk.write("agent.txt", "agent's");
    shell(desk, "git init -q -b main . && git add -A && git -c user.name=a -c user.email=a@b commit -qm later");
    await desk.computer.capture();
    const commit = readFileSync(desk.at(".git/refs/heads/main"), "utf8");
    done(await desk.computer.undo({ seq }));
    expect(readFileSync(desk.at(".git/refs/heads/main"), "utf8")).toBe(commit);
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: desk.at("") }).toString()).toBe(" D agent.txt\n");
  });

  test("ACT-6: files that were only read, and files nobody ever captured, are still there (opencode 46783, 3148)", async () => {
    const desk = await project(3);
    await desk.computer.read("workspace/README.md");
    const { seq } = await desk.write("out/result.txt", "1");
    desk.outside("out/mine.txt", "nobody captured this");
    desk.outside("untracked.txt", "nor this");
    const undone = done(await desk.computer.undo({ seq }));
    expect(undone.ok).toBe(true);
    expect(desk.disk()).toMatchObject({
      "workspace/README.md": fileText("# Project\n"),
      "workspace/out/mine.txt": fileText("nobody captured this"),
      "workspace/untracked.txt": fileText("nor this"),
    });
    await desk.computer.capture();
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("ACT-6: an undo goes one step back, not weeks (opencode 10287)", async () => {
    const desk = await stage({ now: clock("2026-01-01T00:00:00.000Z") });
    for (let i = 0; i < 30; i++) await desk.write("a", `${i}\n`);
    done(await desk.computer.undo({ seq: await desk.head() }));
    expect(await desk.text("a")).toBe("28\n");
  });

  test("ACT-6: another session's work is not taken back with mine (claude-code 28078)", async () => {
    const desk = await project(3);
    const mine = { cause: { task: "mine" }, source: "agent" as const };
    const theirs = { cause: { task: "theirs" }, source: "agent" as const };
    await desk.write("shared", "1\n2\n3\n4\n5\n6\n");
    await desk.write("shared", "mine\n2\n3\n4\n5\n6\n", mine);
    await desk.write("shared", "mine\n2\n3\n4\n5\ntheirs\n", theirs);
    await desk.write("only-theirs", "x", theirs);
    done(await desk.computer.undo({ task: "mine" }));
    expect(await desk.text("shared")).toBe("1\n2\n3\n4\n5\ntheirs\n");
    expect(await desk.text("only-theirs")).toBe("x");
  });

  test("ACT-7: 400 files are 400 files after a rewind that others write into meanwhile (dyad 244)", async () => {
    const desk = await project(400);
    const then = desk.disk();
    const seq = await desk.head();
    shell(desk, "rm -rf src && mkdir src && echo new > src/new.ts");
    await desk.computer.capture();
    const rewinding = desk.computer.undo({ since: seq });
    const writing = Array.from({ length: 10 }, (_, i) => desk.write(`ui/${i}`, "meanwhile"));
    done(await rewinding);
    await Promise.all(writing);
    const added = differing(then, desk.disk());
    expect(added.every((key) => key.startsWith("workspace/ui"))).toBe(true);
    expect(added).toHaveLength(11);
    expect(await desk.tree()).toEqual(desk.disk());
  });
});

describe("undo that does nothing", () => {
  test("ACT-10: it never says that it did (opencode 2642, 4704, 29520)", async () => {
    const desk = await project(2);
    const message = await desk.computer.log.append({ source: "user", type: "message", payload: { text: "hello" } });
    const seq = message.ok ? message.seq : 0;
    expect(await desk.computer.undo({ seq })).toMatchObject({ ok: false, reason: "nothing" });
    const written = await desk.write("a", "1");
    rmSync(desk.at("a"));
    expect(await desk.computer.undo({ seq: written.seq })).toMatchObject({ ok: false, reason: "nothing" });
  });

  test("ACT-6: there is a redo, after a restart too (claude-code 16023)", async () => {
    const desk = await project(2);
    const { seq } = await desk.write("a", "1");
    const after = desk.disk();
    const undone = done(await desk.computer.undo({ seq }));
    const again = await desk.reopen();
    done(await again.computer.undo({ seq: undone.seq }));
    expect(again.disk()).toEqual(after);
  });

  test("ACT-7: what the shell did is undone: sed, mv, rm, mkdir, chmod, ln (claude-code 87575, codex 41106)", async () => {
    const desk = await project(5);
    const seq = await desk.head();
    const before = desk.disk();
    shell(
      desk,
      "sed -i s/const/let/ src/*.ts; mv src/1.ts moved.ts; rm README.md; mkdir -p a/b; chmod 600 src/2.ts; ln -s src s; ln src/3.ts hard",
    );
    await desk.computer.capture();
    expect(await desk.tree()).toEqual(desk.disk());
    done(await desk.computer.undo({ since: seq }));
    expect(desk.disk()).toEqual(before);
  });

  test("ACT-6: deletions are restored, with modes, links and empty folders (claude-code 34368)", async () => {
    const desk = await project(3);
    mkdirSync(desk.at("empty"));
    chmodSync(desk.at("empty"), 0o750);
    symlinkSync("README.md", desk.at("link"));
    chmodSync(desk.at("src/0.ts"), 0o755);
    await desk.computer.capture();
    const before = desk.disk();
    expect(before["workspace/empty"]).toBe(dirText(0o750));
    shell(desk, "rm -rf ./* ");
    const { seq } = await desk.computer.capture();
    expect(desk.disk()).toEqual({});
    done(await desk.computer.undo({ seq: seq ?? 0 }));
    expect(desk.disk()).toEqual(before);
  });

  test("ACT-7: it needs no git, and doesn't mind a dirty tree (codex 19205; dyad 477, 874, 2763)", async () => {
    const desk = await project(3);
    shell(desk, "git init -q -b main . && git add -A && echo dirty > src/0.ts && echo untracked > u");
    await desk.computer.capture();
    const [seq, before] = [await desk.head(), desk.disk()];
    await desk.write("src/0.ts", "agent");
    done(await desk.computer.undo({ since: seq }));
    expect(desk.disk()).toEqual(before);
    expect(execFileSync("git", ["status", "--porcelain", "src/0.ts"], { cwd: desk.at("") }).toString()).toBe(
      "AM src/0.ts\n",
    );
  });
});

describe("storage without bound", () => {
  test("COMP-13: a hundred versions of a file cost far less than a hundred copies (opencode 15977, cline 1873)", async () => {
    const desk = await stage();
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i} of a file with some text in it\n`);
    for (let i = 0; i < 100; i++) {
      lines[i] = `changed in version ${i}\n`;
      await desk.write("a.txt", lines.join(""));
    }
    const whole = lines.join("").length * 100;
    await closedPacked(desk);
    expect(sizeOf(join(desk.root, ".choir", "contents.sqlite"))).toBeLessThan(whole / 4);
  });

  test("CAP-7: what a build makes anew costs nothing (opencode 18072, cline 13131)", async () => {
    const desk = await project(2);
    const head = await desk.head();
    for (let i = 0; i < 300; i++) desk.outside(`node_modules/pkg/${i}.js`, "fetched");
    expect(await desk.computer.capture()).toMatchObject({ seq: null });
    expect(await desk.head()).toBe(head);
  });
});

describe("crashes", () => {
  test("COMP-3: a state that was torn is made again, and nothing else is lost by it (OpenHands sdk 4487, cline 9631)", async () => {
    const desk = await project(5);
    const [hash, disk] = [await desk.computer.stateHash(), desk.disk()];
    const again = await desk.reopen({
      meanwhile: () => {
        const file = join(desk.root, ".choir/state.sqlite");
        writeFileSync(file, readFileSync(file).subarray(0, 5000));
      },
    });
    expect(await again.computer.stateHash()).toBe(hash);
    expect(again.disk()).toEqual(disk);
    await again.write("a", "goes on");
    expect(await again.computer.verify()).toMatchObject({ ok: true });
  });

  test("COMP-3: each turn after a crash works as if there had been none (opencode 19023, 43277)", async () => {
    let desk = await project(2);
    for (let turn = 0; turn < 3; turn++) {
      await desk.cutOff({ [`turn-${turn}`]: "cut off" });
      desk = await desk.reopen({ meanwhile: () => writeFileSync(desk.at(`outside-${turn}`), "meanwhile") });
      await desk.write(`after-${turn}`, "goes on");
    }
    expect(Object.keys(desk.disk()).filter((key) => /turn|outside|after/.test(key))).toHaveLength(9);
    expect(await desk.tree()).toEqual(desk.disk());
  });
});

function sizeOf(file: string): number {
  return ["", "-wal"].reduce((sum, end) => sum + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** A day for each event. */
function clock(start: string): () => Date {
  let at = Date.parse(start);
  return () => {
    at += 86_400_000;
    return new Date(at);
  };
}
