import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { recognise } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { computerStage, type Desk, done } from "./testing/computer-stage.ts";
import { dirText, fileText, linkText } from "./testing/trees.ts";

const stage = computerStage();

/** Folder and log are alike, and the log has nothing more to say about it. */
async function expectSettled(desk: Desk): Promise<void> {
  expect(await desk.tree()).toEqual(desk.disk());
  expect(desk.computer.blocked()).toEqual([]);
  expect(await desk.computer.capture()).toMatchObject({ seq: null, changed: 0 });
  expect(await desk.computer.verify()).toMatchObject({ ok: true });
}

describe("what only others did", () => {
  test("CAP-2: new, changed and deleted files become one event by outside, with exactly what stood before", async () => {
    const desk = await stage();
    await desk.write("changed", "1");
    await desk.write("deleted", "2");
    const head = await desk.head();
    desk.outside("changed", "one");
    rmSync(desk.at("deleted"));
    desk.outside("new/deep/file", "3");
    expect(await desk.computer.capture()).toMatchObject({ seq: head + 1, changed: 5, notes: [] });
    const event = recognise((await desk.events()).at(-1) ?? ({} as never));
    if (!event.ok || event.value.type !== "files.changed") throw new Error("it is a change of files");
    expect(event.value).toMatchObject({ source: "system", payload: { by: "outside" } });
    const carried = "changes" in event.value.payload ? event.value.payload.changes : [];
    expect(carried.map(({ path, before, after }) => [path, before?.kind, after?.kind])).toEqual([
      ["workspace/changed", "file", "file"],
      ["workspace/deleted", "file", undefined],
      ["workspace/new", undefined, "dir"],
      ["workspace/new/deep", undefined, "dir"],
      ["workspace/new/deep/file", undefined, "file"],
    ]);
    await expectSettled(desk);
  });

  test("CAP-2: modes, links, empty directories, empty files and odd names are kept exactly", async () => {
    const desk = await stage();
    desk.outside("run", "#!/bin/sh\n", 0o755);
    desk.outside("empty", "");
    mkdirSync(desk.at("folder"));
    chmodSync(desk.at("folder"), 0o700);
    symlinkSync("../../anywhere", desk.at("link"));
    mkdirSync(Buffer.concat([Buffer.from(desk.at("odd-")), Buffer.from([0xff])]));
    await desk.computer.capture();
    expect(await desk.tree()).toEqual({
      "workspace/empty": fileText(""),
      "workspace/folder": dirText(0o700),
      "workspace/link": linkText("../../anywhere"),
      "workspace/odd-//ff": dirText(),
      "workspace/run": fileText("#!/bin/sh\n", 0o755),
    });
    await expectSettled(desk);
  });

  test("CAP-5: a directory that became a file is gone with everything below it, and comes back whole", async () => {
    const desk = await stage();
    await desk.write("d/a", "1");
    await desk.write("d/e/b", "2");
    const before = desk.disk();
    rmSync(desk.at("d"), { recursive: true });
    desk.outside("d", "now a file");
    const { seq } = await desk.computer.capture();
    expect(await desk.tree()).toEqual({ "workspace/d": fileText("now a file") });
    await expectSettled(desk);
    await desk.computer.undo({ seq: seq ?? 0 });
    expect(desk.disk()).toEqual(before);
    await expectSettled(desk);
  });

  test("CAP-5: a file that became a directory, and a link that became a file, are taken up with what is in them", async () => {
    const desk = await stage();
    await desk.write("f", "1");
    symlinkSync("f", desk.at("l"));
    await desk.computer.capture();
    rmSync(desk.at("f"));
    desk.outside("f/inside", "2");
    rmSync(desk.at("l"));
    desk.outside("l", "was a link");
    await desk.computer.capture();
    expect(await desk.tree()).toEqual({
      "workspace/f": dirText(),
      "workspace/f/inside": fileText("2"),
      "workspace/l": fileText("was a link"),
    });
    await expectSettled(desk);
  });

  test("CAP-3: what we landed ourselves makes no event, however often the folder is looked at", async () => {
    const desk = await stage();
    await desk.write("a/b/c", "1");
    await desk.computer.move("workspace/a", "workspace/z");
    await desk.computer.undo({ since: 1 });
    const head = await desk.head();
    await desk.computer.capture();
    await desk.computer.capture(["workspace/a", "workspace/z"]);
    expect(await desk.head()).toBe(head);
  });
});

describe("ours and theirs at the same time", () => {
  const base = "1\n2\n3\n4\n5\n6\n";
  /** Ours is in the log and has not landed; theirs is in the folder; then the computer is opened again. */
  async function both(
    ours: string | null,
    theirs: (desk: Desk) => void,
    start: string | undefined = base,
  ): Promise<Desk> {
    const desk = await stage();
    if (start !== undefined) await desk.write("d/x.txt", start);
    await desk.write("beside", "stays");
    await desk.cutOff({ "d/x.txt": ours });
    return desk.reopen({ meanwhile: () => theirs(desk) });
  }

  test("CAP-4: changes of different lines are put together, in the folder and in the log", async () => {
    const desk = await both("ours\n2\n3\n4\n5\n6\n", (d) => d.outside("d/x.txt", "1\n2\n3\n4\n5\ntheirs\n"));
    expect(await desk.text("d/x.txt")).toBe("ours\n2\n3\n4\n5\ntheirs\n");
    expect(desk.computer.notices.join()).toContain("both are in it now");
    await expectSettled(desk);
  });

  test("CAP-4: what others write is theirs, though the log once had the same there", async () => {
    const before = await stage();
    await before.write("x.txt", "again");
    done(await before.computer.remove("workspace/x.txt"));
    await before.cutOff({ "x.txt": "ours" });
    const desk = await before.reopen({ meanwhile: () => before.outside("x.txt", "again") });
    expect(desk.disk()).toEqual({
      "workspace/x (outside).txt": fileText("again"),
      "workspace/x.txt": fileText("ours"),
    });
    expect(await desk.tree()).toEqual(desk.disk());
  });

  test("CAP-4: changes of the same lines are both kept: ours in its place, theirs beside it", async () => {
    const desk = await both("ours\n", (d) => d.outside("d/x.txt", "theirs\n"));
    expect(desk.disk()).toMatchObject({
      "workspace/d/x.txt": fileText("ours\n"),
      "workspace/d/x (outside).txt": fileText("theirs\n"),
    });
    expect(desk.computer.notices.join()).toContain("what the folder had is in d/x (outside).txt");
    await expectSettled(desk);
  });

  test("CAP-4: a name that is taken is left alone: the next free number is used", async () => {
    const desk = await both("ours\n", (d) => {
      d.outside("d/x (outside).txt", "somebody's own");
      d.outside("d/x.txt", "theirs\n");
    });
    expect(desk.disk()).toMatchObject({
      "workspace/d/x (outside).txt": fileText("somebody's own"),
      "workspace/d/x (outside 2).txt": fileText("theirs\n"),
    });
    await expectSettled(desk);
  });

  test("CAP-4: what isn't text is never merged: both are kept", async () => {
    const desk = await both("a\0\0ours", (d) => d.outside("d/x.txt", "a\0theirs"), "a\0");
    expect(desk.disk()).toMatchObject({
      "workspace/d/x.txt": fileText("a\0\0ours"),
      "workspace/d/x (outside).txt": fileText("a\0theirs"),
    });
    await expectSettled(desk);
  });

  test("CAP-4: a mode from one side and a content from the other are one file", async () => {
    const desk = await both("ours\n", (d) => chmodSync(d.at("d/x.txt"), 0o755));
    expect(desk.disk()["workspace/d/x.txt"]).toBe(fileText("ours\n", 0o755));
    await expectSettled(desk);
  });

  test("CAP-1: deleted by others while we changed it: ours lands", async () => {
    const desk = await both("ours\n", (d) => rmSync(d.at("d/x.txt")));
    expect(desk.disk()["workspace/d/x.txt"]).toBe(fileText("ours\n"));
    await expectSettled(desk);
  });

  test("CAP-1: deleted by others with its directory while we changed it: ours lands, in its directory", async () => {
    const desk = await both("ours\n", (d) => rmSync(d.at("d"), { recursive: true }));
    expect(desk.disk()["workspace/d/x.txt"]).toBe(fileText("ours\n"));
    await expectSettled(desk);
  });

  test("CAP-1: changed by others while we deleted it: theirs is kept", async () => {
    const desk = await both(null, (d) => d.outside("d/x.txt", "theirs\n"));
    expect(desk.disk()["workspace/d/x.txt"]).toBe(fileText("theirs\n"));
    await expectSettled(desk);
  });

  test("CAP-1: changed by others in a directory that we deleted: theirs is kept, with the directory", async () => {
    const desk = await stage();
    await desk.write("d/e/x", "1");
    await desk.write("d/y", "2");
    await desk.cutOff({ "d/e/x": null, "d/e": null, "d/y": null, d: null });
    const again = await desk.reopen({ meanwhile: () => desk.outside("d/e/new", "theirs") });
    expect(again.disk()).toEqual({
      "workspace/d": dirText(),
      "workspace/d/e": dirText(),
      "workspace/d/e/new": fileText("theirs"),
    });
    await expectSettled(again);
  });

  test("CAP-4: made by both, differently: both are kept", async () => {
    const desk = await stage();
    await desk.cutOff({ x: "ours" });
    const again = await desk.reopen({ meanwhile: () => desk.outside("x", "theirs") });
    expect(again.disk()).toEqual({
      "workspace/x": fileText("ours"),
      "workspace/x (outside)": fileText("theirs"),
    });
    await expectSettled(again);
  });

  test("CAP-1: made by both alike: nothing is to be done", async () => {
    const desk = await stage();
    const seq = await desk.cutOff({ x: "same" });
    const again = await desk.reopen({ meanwhile: () => desk.outside("x", "same") });
    expect(await again.head()).toBe(seq);
    await expectSettled(again);
  });

  test("CAP-5: a file of ours against a directory of theirs: both are kept, with all that is in it", async () => {
    const desk = await both("ours\n", (d) => {
      rmSync(d.at("d/x.txt"));
      d.outside("d/x.txt/in/side", "theirs");
    });
    expect(desk.disk()).toMatchObject({
      "workspace/d/x (other version).txt": fileText("ours\n"),
      "workspace/d/x.txt": dirText(),
      "workspace/d/x.txt/in": dirText(),
      "workspace/d/x.txt/in/side": fileText("theirs"),
    });
    await expectSettled(desk);
  });

  test("CAP-5: a directory of ours against a file of theirs: both are kept", async () => {
    const desk = await stage();
    await desk.write("x", "1");
    await desk.cutOff({ x: { kind: "dir", mode: 0o755 }, "x/inside": "ours" });
    const again = await desk.reopen({ meanwhile: () => desk.outside("x", "theirs") });
    expect(again.disk()).toEqual({
      "workspace/x": dirText(),
      "workspace/x/inside": fileText("ours"),
      "workspace/x (outside)": fileText("theirs"),
    });
    await expectSettled(again);
  });

  test("CAP-5: a directory that we made a file of, and others put something into: nothing of either is lost", async () => {
    const desk = await stage();
    await desk.write("d/old", "1");
    await desk.cutOff({ "d/old": null, d: "now a file" });
    const again = await desk.reopen({ meanwhile: () => desk.outside("d/new", "theirs") });
    const texts = Object.values(again.disk());
    expect(texts).toContain(fileText("now a file"));
    expect(texts).toContain(fileText("theirs"));
    await expectSettled(again);
  });

  test("CAP-5: ours in a directory that others made a file of: both are kept", async () => {
    const desk = await both("ours\n", (d) => {
      rmSync(d.at("d"), { recursive: true });
      d.outside("d", "theirs");
    });
    expect(desk.disk()).toMatchObject({
      "workspace/d": dirText(),
      "workspace/d/x.txt": fileText("ours\n"),
      "workspace/d (outside)": fileText("theirs"),
    });
    await expectSettled(desk);
  });

  test("CAP-4: a link of ours against a link of theirs: both are kept", async () => {
    const desk = await stage();
    symlinkSync("a", desk.at("l"));
    await desk.computer.capture();
    const target = await desk.computer.contents.put(Buffer.from("ours"));
    await desk.cutOff({ l: { ...target, kind: "link", mode: 0o777 } });
    const again = await desk.reopen({
      meanwhile: () => {
        rmSync(desk.at("l"));
        symlinkSync("theirs", desk.at("l"));
      },
    });
    expect(again.disk()).toEqual({
      "workspace/l": linkText("ours"),
      "workspace/l (outside)": linkText("theirs"),
    });
    await expectSettled(again);
  });

  test("CAP-1: moved away by others while we changed it: both stand", async () => {
    const desk = await both("ours\n", (d) => renameSync(d.at("d/x.txt"), d.at("d/y.txt")));
    expect(desk.disk()).toMatchObject({
      "workspace/d/x.txt": fileText("ours\n"),
      "workspace/d/y.txt": fileText(base),
    });
    await expectSettled(desk);
  });
});
