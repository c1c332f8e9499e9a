import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Deed } from "../computer-port.ts";
import { computerStage, type Desk, done } from "../testing/computer-stage.ts";
import { expectRefused } from "../testing/expect-refused.ts";
import { dirText, fileText } from "../testing/trees.ts";

const stage = computerStage();
const at = (name: string) => `workspace/${name}`;
const move = (from: string, to: string): Deed => ({ move: { from: at(from), to: at(to) } });
const copy = (from: string, to: string): Deed => ({ copy: { from: at(from), to: at(to) } });
const remove = (name: string): Deed => ({ remove: { key: at(name) } });
const folder = (name: string): Deed => ({ folder: { key: at(name) } });
const file = (name: string): Deed => ({ file: { key: at(name) } });

const lastOf = async (desk: Desk) => (await desk.events()).at(-1);
const same = async (desk: Desk) => expect(await desk.tree()).toEqual(desk.disk());

describe("arrange", () => {
  test("ACT-20: several deeds are one event, and each finds what the ones before it leave", async () => {
    const desk = await stage();
    await desk.write("a.txt", "1");
    await desk.write("d/x", "2");
    const before = desk.disk();
    const deeds = [folder("new"), move("a.txt", "new/a.txt"), move("d", "new/d"), copy("new/d", "d"), file("empty.md")];
    const { seq, changed } = done(await desk.computer.arrange([...deeds, remove("new/d/x")]));
    expect(await lastOf(desk)).toMatchObject({ seq, type: "files.changed", payload: { by: "desk" } });
    expect(changed).toBe(5);
    expect(desk.disk()).toEqual({
      "workspace/d": dirText(),
      "workspace/d/x": fileText("2"),
      "workspace/empty.md": fileText(""),
      "workspace/new": dirText(),
      "workspace/new/a.txt": fileText("1"),
      "workspace/new/d": dirText(),
    });
    await same(desk);
    done(await desk.computer.undo({ seq }));
    expect(desk.disk()).toEqual(before);
  });

  test("ACT-20: one deed is told as what it is", async () => {
    const desk = await stage();
    await desk.write("d/x", "1");
    const typeOf = async (...deeds: Deed[]) => {
      done(await desk.computer.arrange(deeds));
      return (await lastOf(desk))?.type;
    };
    expect(await typeOf(move("d", "e"))).toBe("dir.move");
    expect(await typeOf(move("e/x", "y"))).toBe("file.move");
    expect(await typeOf(copy("y", "z"))).toBe("file.write");
    expect(await typeOf(copy("e", "f"))).toBe("files.changed");
    expect(await typeOf(remove("e"), remove("f"))).toBe("file.delete"); // removals alone are told as that
    expect(await typeOf(folder("g/h"))).toBe("dir.create");
    expect(await typeOf(file("g/h/new"))).toBe("file.write");
    expect(await typeOf(remove("g"))).toBe("dir.delete");
    expect(await typeOf(remove("y"))).toBe("file.delete");
    await same(desk);
  });

  test("ACT-20: a name that a removal makes free can be taken by the next deed", async () => {
    const desk = await stage();
    await desk.write("old", "1");
    await desk.write("new", "2");
    const { seq } = done(await desk.computer.arrange([remove("old"), copy("new", "old")]));
    expect(await lastOf(desk)).toMatchObject({ seq, payload: { changes: [{ path: "workspace/old" }] } });
    expect(desk.disk()["workspace/old"]).toBe(fileText("2"));
    await desk.write("d/x", "1");
    done(await desk.computer.arrange([remove("d"), file("d")]));
    await same(desk);
    done(await desk.computer.arrange([remove("d"), move("new", "d/e/new")]));
    await same(desk);
  });

  test.each([
    ["a name that is taken", [file("n"), move("a", "d/x")], "d/x is there already", "invalid"],
    ["what isn't there", [file("n"), remove("nothing")], "there is nothing at nothing", "missing"],
    ["what went with a former deed", [remove("d"), copy("d/x", "n")], "there is nothing at d/x", "missing"],
    ["a name in a file", [file("n"), folder("a/b")], "a is a file, and nothing can be in it", "invalid"],
    ["into itself", [file("n"), move("d", "d/e")], "d can't be moved into itself", "invalid"],
    ["a copy into itself", [file("n"), copy("d", "d/e/f")], "d can't be copied into itself", "invalid"],
    ["a name that is none", [file("n"), file("x".repeat(256))], "has a name that is too long", "invalid"],
    ["a way out", [file("n"), { copy: { from: at("a"), to: "workspace/../b" } }], "..", "invalid"],
    ["an area", [file("n"), { remove: { key: "workspace" } }], "always stand", "invalid"],
    ["what comes to nothing", [file("n"), remove("n")], "so already", "nothing"],
  ] as const)("ACT-20: %s is refused with the path, and nothing is done", async (_, deeds, message, reason) => {
    const desk = await stage();
    await desk.write("a", "1");
    await desk.write("d/x", "2");
    await expectRefused(desk, () => desk.computer.arrange(deeds), {
      reason,
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ["a folder that is there", false],
    ["one that is made for them", true],
  ])("ACT-20: directories take along what is ignored, several at once, into %s", async (_, isNew) => {
    const desk = await stage();
    for (const name of ["a", "b"]) {
      await desk.write(`${name}/x`, name);
      mkdirSync(desk.at(`${name}/node_modules`));
      writeFileSync(desk.at(`${name}/node_modules/y`), name);
    }
    if (!isNew) await desk.write("to/z", "1");
    const { blocked } = done(
      await desk.computer.arrange([...(isNew ? [folder("to")] : []), move("a", "to/a"), move("b", "to/b")]),
    );
    expect(blocked).toEqual([]);
    await desk.computer.capture();
    expect((await desk.events()).at(-1)).toMatchObject({ payload: { by: "desk" } });
    for (const name of ["a", "b"]) {
      expect(existsSync(desk.at(`to/${name}/node_modules/y`))).toBe(true);
      expect(existsSync(desk.at(name))).toBe(false);
    }
  });

  test("ACT-20: an id that is in the log is one arrangement, also after a restart", async () => {
    const desk = await stage();
    const { seq } = done(await desk.computer.arrange([file("a")], { id: "deed-1" }));
    const again = await desk.reopen();
    expect(done(await again.computer.arrange([file("a")], { id: "deed-1" })).seq).toBe(seq);
    await expectRefused(again, () => again.computer.arrange([file("b")], { id: "deed-1" }), { reason: "invalid" });
  });

  test("COMP-3: an arrangement that was cut off before it landed lands with the next opening", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    const hash = (await desk.computer.read(at("a")))?.entry;
    await desk.cutOff({ a: null, b: hash ?? null, c: hash ?? null });
    const again = await desk.reopen();
    expect(again.disk()).toEqual({ "workspace/b": fileText("1"), "workspace/c": fileText("1") });
  });

  test("ACT-21: a copy stores no content again, and is the same in modes, links and empty directories", async () => {
    const desk = await stage();
    await desk.write("d/run", "#!/bin/sh\n", { mode: 0o755 });
    done(await desk.computer.arrange([folder("d/empty"), copy("d", "c")]));
    const [one, two] = [await desk.computer.read(at("d/run")), await desk.computer.read(at("c/run"))];
    expect(two?.entry).toEqual(one?.entry);
    expect(desk.disk()).toMatchObject({
      "workspace/c/empty": dirText(),
      "workspace/c/run": fileText("#!/bin/sh\n", 0o755),
    });
  });
});

const names = fc.constantFrom("a", "d", "d/x", "d/e", "d/e/z", "b.txt");
const deed = fc.oneof(
  fc.tuple(names, names).map(([from, to]) => move(from, to)),
  fc.tuple(names, names).map(([from, to]) => copy(from, to)),
  names.map(remove),
  names.map(folder),
  names.map(file),
);

test("ACT-20: whatever is arranged is all there or not at all, and one undo brings back exactly what stood", async () => {
  const desk = await stage();
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 6 }), async (deeds) => {
      const before = desk.disk();
      const head = await desk.head();
      const outcome = await desk.computer.arrange(deeds);
      await same(desk);
      if (!outcome.ok) {
        expect(desk.disk()).toEqual(before);
        expect(await desk.head()).toBe(head);
        return;
      }
      expect(await desk.head()).toBe(head + 1);
      const after = desk.disk();
      const undone = done(await desk.computer.undo({ seq: outcome.seq }));
      expect(desk.disk()).toEqual(before);
      done(await desk.computer.undo({ seq: undone.seq }));
      expect(desk.disk()).toEqual(after);
    }),
    { numRuns: 60 },
  );
});
