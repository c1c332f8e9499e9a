import { describe, expect, test } from "vitest";
import { computerStage, type Desk, done } from "../testing/computer-stage.ts";

const stage = computerStage();
const KEEP = { choices: { all: "mine" } } as const;

const of = (task: string) => ({ source: "agent" as const, cause: { ask: "ask1", task } });

/** Three notes of an ask, each by a call of its own; the second is somebody else's by now. */
async function notes(desk: Desk) {
  const [one, two, three] = [
    await desk.write("n1", "one\n", of("t1")),
    await desk.write("n2", "two\n", of("t1")),
    await desk.write("n3", "three\n", of("t2")),
  ];
  await desk.write("n2", "two of mine\n");
  return { one, two, three };
}

describe("what an undo kept", () => {
  test("ACT-10: what was kept isn't taken back: it is named in the undo, its own call is undone as before, and with that all is", async () => {
    const desk = await stage();
    const { one, two } = await notes(desk);
    const { computer } = desk;
    const asked = await computer.preview({ call: two.call });
    const undone = done(await computer.undo({ ask: "ask1" }, KEEP));
    expect(undone).toMatchObject({ changed: 2, notes: ["Kept as it stands: n2"] });
    expect((await desk.events()).at(-1)?.payload).toMatchObject({
      changes: [{ path: "workspace/n1" }, { path: "workspace/n3" }],
      kept: [{ path: "workspace/n2", seq: two.seq, cause: { ...of("t1").cause, call: two.call } }],
    });
    expect(asked).toMatchObject({ conflicts: [{ key: "workspace/n2" }] });
    for (const target of [{ call: two.call }, { seq: two.seq }])
      expect(await computer.preview(target)).toEqual({ ...asked, lasting: [] });
    await desk.write("n1", "another\n");
    const word = (seq: number) => `nothing to undo: it is taken back already, by event ${seq}`;
    expect(await computer.undo({ call: one.call })).toMatchObject({ message: word(undone.seq) });
    for (const target of [{ ask: "ask1" }, { task: "t1" }])
      expect(await computer.preview(target)).toMatchObject({ changes: [], conflicts: [{ key: "workspace/n2" }] });
    const rest = done(await computer.undo({ call: two.call }, { choices: { all: "theirs" } }));
    expect(desk.disk()["workspace/n2"]).toBeUndefined();
    await desk.write("n2", "another\n");
    expect(await computer.undo({ call: two.call })).toMatchObject({ message: word(rest.seq) });
    expect(await computer.undo({ ask: "ask1" })).toMatchObject({ message: word(undone.seq) });
  });

  test("ACT-10: the redo of what was kept in part does again exactly what was undone, and all is as before", async () => {
    const desk = await stage();
    const { one, two } = await notes(desk);
    const { computer } = desk;
    const disk = desk.disk();
    const before = await computer.preview({ ask: "ask1" });
    const undone = done(await computer.undo({ ask: "ask1" }, KEEP));
    expect(await computer.undo({ seq: undone.seq })).toMatchObject({ changed: 2 });
    expect(desk.disk()).toEqual(disk);
    expect(await computer.preview({ ask: "ask1" })).toEqual(before);
    await desk.write("n1", "one of mine\n");
    expect(await computer.undo({ call: one.call })).toMatchObject({ conflicts: [{ key: "workspace/n1" }] });
    expect(await computer.undo({ call: two.call })).toMatchObject({ conflicts: [{ key: "workspace/n2" }] });
  });

  test("ACT-10: what one event changed is taken back but for what was kept of it, and only that is asked for again", async () => {
    const desk = await stage();
    const { computer } = desk;
    const made = done(await computer.arrange([{ folder: { key: "workspace/a" } }, { folder: { key: "workspace/b" } }])); // biome-ignore format: in one line
    await desk.write("a/mine", "mine\n");
    const undone = done(await computer.undo({ seq: made.seq }));
    expect(undone.notes).toEqual(["a stays: there are other things in it now"]);
    expect((await desk.events()).at(-1)?.payload).toMatchObject({ kept: [{ path: "workspace/a", dir: true }] });
    done(await computer.remove("workspace/a/mine"));
    await desk.write("b", "a file\n");
    expect(await computer.preview({ seq: made.seq })).toMatchObject({
      changes: [{ key: "workspace/a" }],
      conflicts: [],
    });
  });

  test("ACT-10, CAP-9: more than a hundred that were kept are a content, and each is told from what was undone", async () => {
    const desk = await stage();
    const { computer } = desk;
    const cause = { ask: "ask1", task: "t1" };
    const writes = [];
    for (let i = 0; i <= 102; i++) writes.push(await desk.write(`n${i}`, `${i}\n`, { source: "agent", cause }));
    for (let i = 2; i <= 102; i++) desk.outside(`n${i}`, `${i} of mine\n`);
    await computer.capture();
    const undone = done(await computer.undo({ ask: "ask1" }, KEEP));
    expect(undone).toMatchObject({ changed: 2, notes: ["Kept as they stand: 101 paths"] });
    expect((await desk.events()).at(-1)?.payload).toMatchObject({
      kept: { count: 101, list: { size: expect.any(Number) } },
    });
    await desk.write("n1", "another\n");
    expect(await computer.undo({ call: writes[1]?.call ?? "" })).toMatchObject({ reason: "nothing" });
    expect(await computer.undo({ call: writes[2]?.call ?? "" })).toMatchObject({ reason: "conflict" });
    expect((await computer.verify()).ok).toBe(true);
  });
});
