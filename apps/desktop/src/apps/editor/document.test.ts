import { mergeRegions } from "@choiros/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as model from "./document.ts";
import { edited, Lines } from "./edit.ts";

const at = (hash: string, text: string): model.Version => ({ hash, text });
const opened = (text: string) => model.opened(at("a", text));

describe("a file that changes underneath", () => {
  test("EDIT-1: what only others changed is taken over, as small edits of what is shown", () => {
    const doc = model.typed(opened("one\ntwo\nthree\n"), "one!\ntwo\nthree\n");
    const { doc: next, edits } = model.arrived(doc, at("b", "one\ntwo\nthree and a half\n"));
    expect(next.local).toBe("one!\ntwo\nthree and a half\n");
    expect(edits).toEqual([{ from: 14, to: 14, insert: " and a half" }]);
    expect(model.isSettled(next)).toBe(true);
    expect(model.send(next)?.sent).toBe(next.local);
  });

  test("EDIT-1: what nobody typed in becomes the other version, with the lines that stay left alone", () => {
    const { doc, edits } = model.arrived(opened("1\n2\n3\n4\n"), at("b", "0\n1\n2\n4\n"));
    expect(doc.local).toBe("0\n1\n2\n4\n");
    expect(edited("1\n2\n3\n4\n", edits)).toBe(doc.local);
    expect(edits).toHaveLength(2);
    expect(model.isSaved(doc)).toBe(true);
  });

  test("EDIT-2: where both changed the same line both are there, and nothing is saved until somebody chose", () => {
    const mine = model.typed(opened("1\n2\n3\n"), "1\nmine\n3\n");
    const { doc, edits } = model.arrived(mine, at("b", "0\n1\ntheirs\n3\n"));
    expect(edits).toEqual([{ from: 0, to: 0, insert: "0\n" }]);
    expect(doc.local).toBe("0\n1\nmine\n3\n");
    expect(model.places(doc)).toEqual([{ from: 4, to: 9, theirs: "theirs\n" }]);
    expect(model.send(doc)).toBeUndefined();
  });

  test.each<[choice: model.Choice, text: string]>([
    ["mine", "1\nmine\n3\n"],
    ["theirs", "1\ntheirs\n3\n"],
    ["both", "1\nmine\ntheirs\n3\n"],
  ])("EDIT-2: who chooses %s gets that, and it can be saved over what stands there", (choice, text) => {
    const mine = model.typed(opened("1\n2\n3\n"), "1\nmine\n3\n");
    const { doc } = model.arrived(mine, at("b", "1\ntheirs\n3\n"));
    const { doc: next, at: end } = model.chosen(doc, 0, choice) ?? { doc, at: -1 };
    expect([next.local, next.local.slice(end)]).toEqual([text, "\n3\n"]);
    expect(model.places(next)).toEqual([]);
    expect(model.isSettled(next)).toBe(true);
    expect(next.file.hash).toBe("b");
  });

  test("EDIT-2: both choices of a last line without an end stand on lines of their own", () => {
    const { doc } = model.arrived(model.typed(opened("1"), "mine"), at("b", "theirs"));
    expect(model.chosen(doc, 0, "both")?.doc.local).toBe("mine\ntheirs");
  });

  test("EDIT-3: what is on its way counts as typed until it is answered, and then as what was there", () => {
    const sent = model.send(model.typed(opened("\n"), "hello\n"));
    if (sent === undefined) throw new Error("there was something to send");
    const more = model.typed(sent, "hello world\n");
    expect(model.arrived(more, at("b", "other\n"))).toEqual({ doc: more, edits: [] });
    const { doc } = model.arrived(model.kept(more), at("c", "hello\nand another line\n"));
    expect(doc.local).toBe("hello world\nand another line\n".slice(0, 12));
    expect(model.places(doc)).toEqual([{ from: 0, to: 12, theirs: "hello\nand another line\n" }]);
  });

  test("EDIT-4: a file that is taken away leaves what is shown, and comes back only by wish", () => {
    const { doc, edits } = model.arrived(opened("text\n"), model.NO_FILE);
    expect([doc.local, edits, model.isGone(doc), model.send(doc)]).toEqual(["text\n", [], true, undefined]);
    expect(model.send(model.putBack(doc))).toMatchObject({ sent: "text\n", file: { hash: null } });
    expect(model.isSaved(model.arrived(doc, at("a", "text\n")).doc)).toBe(true);
  });

  test("EDIT-5: what was typed before a crash is there again over whatever stands in the file by then", () => {
    const draft = { base: "1\n2\n3\n", local: "1\n2\n3!\n" };
    expect(model.restored(draft, at("b", "0\n2\n3\n")).doc.local).toBe("0\n2\n3!\n");
    expect(model.isSaved(model.restored({ ...draft, sent: "1\n2\n3!\n" }, at("b", "1\n2\n3!\n")).doc)).toBe(true);
    expect(model.restored({ ...draft, local: "1\n2\n3!?\n", sent: "1\n2\n3!\n" }, at("b", "1\n2\n3!\n")).doc).toEqual({
      base: "1\n2\n3!\n",
      local: "1\n2\n3!?\n",
      file: at("b", "1\n2\n3!\n"),
    });
  });
});

/** The file as the server keeps it: every version it had. */
class Server {
  readonly versions: model.Version[];

  constructor(text: string) {
    this.versions = [at("0", text)];
  }

  get now(): model.Version {
    return this.versions.at(-1) ?? model.NO_FILE;
  }

  become(text: string | undefined): void {
    this.versions.push(text === undefined ? model.NO_FILE : at(String(this.versions.length), text));
  }

  /** As the computer does it: over what was read, together with what was written since, or not at all. */
  put(text: string, base: string | null): "kept" | "refused" {
    const read = this.versions.find(({ hash }) => hash === base)?.text ?? "";
    const isRead = this.now.hash === base;
    const next = isRead ? text : this.now.hash === null ? undefined : merge(read, text, this.now.text);
    if (next === undefined) return "refused";
    this.become(next);
    return "kept";
  }

  has(letter: string): boolean {
    return this.versions.some(({ text }) => text.includes(letter));
  }
}

function merge(base: string, ours: string, theirs: string): string | undefined {
  const lines = { base: new Lines(base), ours: new Lines(ours), theirs: new Lines(theirs) };
  const lists = { base: lines.base.list, ours: lines.ours.list, theirs: lines.theirs.list };
  const regions = [...mergeRegions(lists)];
  if (regions.some(({ settled }) => settled === undefined)) return undefined;
  const edits = regions.map((region) => ({
    from: lines.base.offset(region.base.start),
    to: lines.base.offset(region.base.end),
    insert: lines[region.settled ?? "ours"].slice(region[region.settled ?? "ours"]),
  }));
  return edited(base, edits);
}

type Step =
  | { readonly do: "type" | "write"; readonly where: number; readonly lines: boolean }
  | { readonly do: "erase" | "cut"; readonly where: number; readonly length: number }
  | { readonly do: "choose"; readonly place: number; readonly choice: model.Choice }
  | { readonly do: "hear" | "send" | "reach" | "answer" | "crash" | "fail" | "remove" | "put-back" };

const share = fc.double({ min: 0, max: 1, noNaN: true });
const typing = fc.record({ do: fc.constantFrom("type", "write"), where: share, lines: fc.boolean() });
const wire = fc.record({ do: fc.constantFrom("hear", "send", "reach", "answer", "crash", "fail") });
const erasing = fc.record({
  do: fc.constantFrom("erase", "cut"),
  where: share,
  length: fc.integer({ min: 1, max: 9 }),
});
const choosing = (choice: fc.Arbitrary<model.Choice>) =>
  fc.record({ do: fc.constant("choose" as const), place: fc.nat({ max: 2 }), choice });
const vanishing = fc.record({ do: fc.constantFrom("remove", "put-back") });
const beginning = fc.array(fc.constantFrom("a\n", "b\n", "\n", "a long line\n", "end"), { maxLength: 8 });

/** One person at an editor, others at the same file, and a wire between that may be slow or break. */
class World {
  readonly server: Server;
  doc: model.Doc;
  /** Typed here, and not taken away by whoever typed it. */
  readonly typed = new Set<string>();
  readonly written = new Set<string>();
  #letters = 0x4e00;
  #request: { text: string; base: string | null; outcome?: "kept" | "refused" } | undefined;

  constructor(text: string) {
    this.server = new Server(text);
    this.doc = model.opened(this.server.now);
  }

  step(step: Step): void {
    if ("lines" in step) this.#write(step);
    else if ("length" in step) this.#cut(step);
    else if (step.do === "choose") this.#wish(model.chosen(this.doc, step.place, step.choice));
    else if (step.do === "hear") this.#show(model.arrived(this.doc, this.server.now));
    else if (step.do === "send") this.#send();
    else if (step.do === "reach" && this.#request !== undefined)
      this.#request.outcome ??= this.server.put(this.#request.text, this.#request.base);
    else if (step.do === "answer") this.#answer();
    else if (step.do === "fail" && this.#request?.outcome === undefined) {
      this.doc = model.returned(this.doc);
      this.#request = undefined;
    } else if (step.do === "crash") {
      this.#request = undefined;
      this.#show(model.restored(this.doc, this.server.now), true);
    } else if (step.do === "remove") this.server.become(undefined);
    else if (step.do === "put-back") this.doc = model.putBack(this.doc);
  }

  /** Until all is answered, chosen and saved. */
  settle(): void {
    for (let rounds = 0; rounds < 50; rounds++) {
      for (const deed of ["reach", "answer", "hear", "put-back"] as const) this.step({ do: deed });
      if (model.places(this.doc).length > 0) this.step({ do: "choose", place: 0, choice: "both" });
      else if (!model.isSettled(this.doc)) this.step({ do: "hear" });
      else if (model.isSaved(this.doc) && this.doc.local === this.server.now.text) return;
      else this.step({ do: "send" });
    }
    throw new Error("it doesn't come to rest");
  }

  #write({ do: who, where, lines }: Extract<Step, { lines: boolean }>): void {
    const letter = String.fromCharCode(this.#letters++);
    const text = who === "type" ? this.doc.local : this.server.now.text;
    const from = Math.floor(where * text.length);
    const next = text.slice(0, from) + (lines ? `\n${letter}\n` : letter) + text.slice(from);
    (who === "type" ? this.typed : this.written).add(letter);
    if (who === "type") this.doc = model.typed(this.doc, next);
    else this.server.become(next);
  }

  #cut({ do: who, where, length }: Extract<Step, { length: number }>): void {
    const text = who === "erase" ? this.doc.local : this.server.now.text;
    const from = Math.floor(where * text.length);
    const next = text.slice(0, from) + text.slice(from + length);
    if (who === "cut") {
      if (this.server.now.hash !== null) this.server.become(next);
      return;
    }
    this.#forget(text, next);
    this.doc = model.typed(this.doc, next);
  }

  /** What a person takes away is no loss. */
  #forget(before: string, after: string): void {
    for (const letter of before) if (!after.includes(letter)) this.typed.delete(letter);
  }

  #wish(next: model.Next | undefined): void {
    if (next === undefined) return;
    this.#forget(this.doc.local, next.doc.local);
    this.#show(next);
  }

  #show({ doc, edits }: model.Next, anew = false): void {
    if (!anew) expect(edited(this.doc.local, edits)).toBe(doc.local);
    this.doc = doc;
  }

  #send(): void {
    const next = model.send(this.doc);
    if (next === undefined || this.#request !== undefined) return;
    this.doc = next;
    this.#request = { text: next.sent, base: next.file.hash ?? null };
  }

  #answer(): void {
    const { outcome } = this.#request ?? {};
    if (outcome === undefined) return;
    this.doc = outcome === "kept" ? model.kept(this.doc) : model.returned(this.doc);
    this.#request = undefined;
  }
}

describe("whatever happens", () => {
  test("EDIT-6: no typed letter is ever lost against concurrent changes, a broken wire and a crash", () => {
    const anyChoice = fc.constantFrom<model.Choice>("mine", "theirs", "both");
    const step = fc.oneof({ weight: 4, arbitrary: typing }, { weight: 5, arbitrary: wire }, erasing, choosing(anyChoice), vanishing); // biome-ignore format: in one line
    fc.assert(
      fc.property(beginning, fc.array(step, { maxLength: 40 }), (lines, steps) => {
        const world = new World(lines.join(""));
        const check = () => {
          for (const letter of world.typed)
            expect(world.doc.local.includes(letter) || world.server.has(letter), `${letter} is lost`).toBe(true);
        };
        for (const one of steps) {
          world.step(one);
          check();
        }
        world.settle();
        check();
        expect(world.server.now.text).toBe(world.doc.local);
      }),
      { numRuns: 2000 },
    );
  });

  test("EDIT-6: where people only add, and keep both, the file has in the end what everybody wrote", () => {
    const step = fc.oneof(typing, wire, choosing(fc.constant("both")));
    fc.assert(
      fc.property(beginning, fc.array(step, { maxLength: 30 }), (lines, steps) => {
        const world = new World(lines.join(""));
        for (const one of steps) world.step(one);
        world.settle();
        for (const letter of [...world.typed, ...world.written]) expect(world.server.now.text).toContain(letter);
      }),
      { numRuns: 2000 },
    );
  });
});
