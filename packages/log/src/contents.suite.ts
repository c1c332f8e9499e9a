import { createHash } from "node:crypto";
import type { ContentRef, Draft, PathChange } from "@choiros/contract";
import { MAX_INLINE_CHANGES, MAX_SMALL_CONTENT_BYTES } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import type { Contents } from "./contents.ts";
import { bytesIn, bytesOf, failing, inPieces, sha256 } from "./testing/bytes.ts";
import { message, range } from "./testing/drafts.ts";
import type { Engine } from "./testing/engine.ts";
import { collectGarbage } from "./testing/memory.ts";
import { stage } from "./testing/stage.ts";
import { verifyContents } from "./verify-contents.ts";

export function contentsSuite(engine: Engine): void {
  describe("contents", () => {
    keeping(engine);
    size(engine);
    damage(engine);
    dropping(engine);
    failures(engine);
    naming(engine);
  });
}

const SMALL = MAX_SMALL_CONTENT_BYTES;
const SIZES = [0, 1, 1000, SMALL - 1, SMALL, SMALL + 1, 200_000, 3_000_000];
const BOTH: [what: string, bytes: Uint8Array][] = [
  ["small", bytesOf(1000)],
  ["large", bytesOf(200_000)],
];
const NEVER_PUT = "f".repeat(64);

function keeping(engine: Engine): void {
  const { place, writer, reader, crash } = stage(engine);

  test.each(SIZES)("CON-1: put resolves with hash and size, and %d bytes come back as they were", async (size) => {
    const { contents } = await writer();
    const bytes = bytesOf(size);
    const ref = { hash: sha256(bytes), size };
    expect(await contents.put(bytes)).toEqual(ref);
    expect(sha256((await bytesIn(contents, ref.hash)) ?? Buffer.of(1))).toBe(ref.hash);
    expect(await contents.has(ref.hash)).toBe(true);
    expect(await contents.check(ref.hash)).toBe("present");
  });

  test.each([1, 999, SMALL, SMALL + 1])("CON-1: a stream in pieces of %d bytes is the same content", async (piece) => {
    const { contents } = await writer();
    for (const size of [0, 2000, SMALL, SMALL + 1]) {
      const bytes = bytesOf(size);
      expect(await contents.put(inPieces(bytes, piece))).toEqual({ hash: sha256(bytes), size });
      expect((await bytesIn(contents, sha256(bytes)))?.equals(bytes)).toBe(true);
    }
  });

  test("CON-1: pieces of no bytes are no end", async () => {
    const { contents } = await writer();
    const bytes = bytesOf(SMALL * 2);
    const source = (async function* () {
      for await (const piece of inPieces(bytes, 30_000)) yield* [new Uint8Array(0), piece, new Uint8Array(0)];
    })();
    expect(await contents.put(source)).toEqual({ hash: sha256(bytes), size: bytes.length });
  });

  test("CON-1: a piece of a larger buffer is just that piece", async () => {
    const { contents } = await writer();
    const all = bytesOf(300_000);
    for (const [from, to] of [
      [10, 500],
      [100, 100_000],
    ] as const) {
      const { hash } = await contents.put(all.subarray(from, to));
      expect((await bytesIn(contents, hash))?.equals(all.slice(from, to))).toBe(true);
    }
  });

  test("CON-1: what was put is there after a crash, small and large", async () => {
    const home = await place();
    const { contents } = await writer(home);
    const refs = await Promise.all(SIZES.map((size) => contents.put(bytesOf(size))));
    const left = await writer(await crash(home));
    for (const ref of refs) expect(await left.contents.check(ref.hash), `${ref.size} bytes`).toBe("present");
  });

  test("CON-1: a reader has the same contents, as soon as they are put", async () => {
    const home = await place();
    const { contents } = await writer(home);
    const other = await reader(home);
    for (const [, bytes] of BOTH) {
      const { hash } = await contents.put(bytes);
      expect((await bytesIn(other.contents, hash))?.equals(bytes)).toBe(true);
    }
  });

  test.each(BOTH)(
    "CON-2: the same bytes are one content, however often and at once they are put: %s",
    async (_, bytes) => {
      const { contents } = await writer();
      const sources = range(1, 8).map((i) => (i % 2 === 0 ? bytes : inPieces(bytes, 7000)));
      const refs = await Promise.all(sources.map((source) => contents.put(source)));
      expect(refs).toEqual(Array(8).fill({ hash: sha256(bytes), size: bytes.length }));
      expect(await contents.check(sha256(bytes))).toBe("present");
      expect(await contents.drop(sha256(bytes))).toBe(true);
      expect(await contents.has(sha256(bytes))).toBe(false);
    },
  );
}

function size(engine: Engine): void {
  const { writer } = stage(engine);

  test("CON-3: a content of 300 MB goes in and out with little memory", async () => {
    const { contents } = await writer();
    const piece = bytesOf(100_000);
    const digest = createHash("sha256");
    let [passed, most] = [0, 0];
    const watch = (bytes: Uint8Array) => {
      const before = passed;
      passed += bytes.length;
      most = Math.max(most, process.memoryUsage.rss());
      if (Math.floor(before / 20_000_000) < Math.floor(passed / 20_000_000)) collectGarbage();
      return bytes;
    };
    const source = async function* () {
      for (const i of range(1, 3000)) yield watch(Buffer.from(piece.fill(i, 0, 1000)));
    };
    collectGarbage();
    const start = process.memoryUsage.rss();
    const { hash, size } = await contents.put(source());
    for await (const chunk of (await contents.get(hash)) ?? []) digest.update(watch(chunk));
    expect([size, passed, digest.digest("hex")]).toEqual([300_000_000, 600_000_000, hash]);
    expect(most - start).toBeLessThan(80_000_000);
  });

  test("CON-3: unknown contents are undefined, and not there", async () => {
    const { contents } = await writer();
    expect(await contents.get(NEVER_PUT)).toBeUndefined();
    expect(await contents.has(NEVER_PUT)).toBe(false);
    expect(await contents.drop(NEVER_PUT)).toBe(false);
  });

  test.each(["", "../../../etc/passwd", "F".repeat(64), `${"f".repeat(63)}/`, `${NEVER_PUT}\n`])(
    "CON-3: what is not a hash is refused: %j",
    async (hash) => {
      const { contents } = await writer();
      for (const call of ["get", "has", "drop", "check"] as const) {
        await expect(contents[call](hash)).rejects.toThrow("hex");
      }
    },
  );

  test.each(BOTH)("CON-3: a stream that is left half way, or not begun, disturbs nothing: %s", async (_, bytes) => {
    const { contents } = await writer();
    const { hash } = await contents.put(bytes);
    await contents.get(hash);
    for await (const chunk of (await contents.get(hash)) ?? []) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect((await bytesIn(contents, hash))?.equals(bytes)).toBe(true);
  });
}

function damage(engine: Engine): void {
  const { place, writer } = stage(engine);

  test.each(SIZES)(
    "CON-14: from any place on, the rest of %d bytes comes, and nothing beyond the end",
    async (size) => {
      const { contents } = await writer();
      const bytes = bytesOf(size);
      const { hash } = await contents.put(bytes);
      for (const from of [0, 1, size >> 1, size - 1, size, size + 1].filter((place) => place >= 0)) {
        const rest = Buffer.concat(await Array.fromAsync((await contents.get(hash, from)) ?? []));
        expect(rest.equals(bytes.subarray(from)), `from ${from}`).toBe(true);
      }
    },
  );

  test.each(BOTH)("CON-14: damage in what is asked for from a place on ends in an error: %s", async (_, bytes) => {
    const home = await place();
    const { contents } = await writer(home);
    const { hash } = await contents.put(bytes);
    home.tamper.damageContent(hash);
    const read = async () => Array.fromAsync((await contents.get(hash, 1)) ?? []);
    await expect(read()).rejects.toMatchObject({ code: "damaged", message: expect.stringContaining(hash) });
  });

  test.each(BOTH)("CON-4: bytes that aren't what their hash says end in an error: %s", async (_, bytes) => {
    const home = await place();
    const { contents } = await writer(home);
    const { hash } = await contents.put(bytes);
    home.tamper.damageContent(hash);
    await expect(bytesIn(contents, hash)).rejects.toMatchObject({
      code: "damaged",
      message: expect.stringContaining(hash),
    });
    expect(await contents.check(hash)).toBe("damaged");
  });

  test.each(BOTH)("CON-1: putting the bytes again mends a damaged content: %s", async (_, bytes) => {
    const home = await place();
    const { contents } = await writer(home);
    const { hash } = await contents.put(bytes);
    home.tamper.damageContent(hash);
    await contents.put(bytes);
    expect(await contents.check(hash)).toBe("present");
    expect((await bytesIn(contents, hash))?.equals(bytes)).toBe(true);
  });

  test.each(BOTH)("CON-6: check tells present, pruned, missing and damaged apart: %s", async (_, bytes) => {
    const home = await place();
    const { contents } = await writer(home);
    const { hash } = await contents.put(bytes);
    expect(await contents.check(NEVER_PUT)).toBe("missing");
    expect(await contents.check(hash)).toBe("present");
    home.tamper.damageContent(hash);
    expect(await contents.check(hash)).toBe("damaged");
    await contents.drop(hash);
    expect(await contents.check(hash)).toBe("pruned");
    await contents.put(bytes);
    expect(await contents.check(hash)).toBe("present");
    home.tamper.loseContent(hash);
    expect(await contents.check(hash)).toBe("missing");
    expect(await contents.get(hash)).toBeUndefined();
    expect(await contents.has(hash)).toBe(false);
    await contents.put(bytes);
    expect(await contents.check(hash)).toBe("present");
  });
}

function dropping(engine: Engine): void {
  const { place, writer, crash } = stage(engine);

  test.each(BOTH)(
    "CON-5: drop removes the bytes and remembers it, also after a restart and a crash: %s",
    async (_, bytes) => {
      const home = await place();
      const first = await writer(home);
      const { hash } = await first.contents.put(bytes);
      expect(await first.contents.drop(hash)).toBe(true);
      expect(await first.contents.drop(hash)).toBe(false);
      const left = await writer(await crash(home));
      await first.close();
      for (const { contents } of [left, await writer(home)]) {
        expect(await contents.get(hash)).toBeUndefined();
        expect(await contents.has(hash)).toBe(false);
        expect(await contents.check(hash)).toBe("pruned");
      }
    },
  );

  test.each(BOTH)("CON-5: putting dropped bytes brings them back, for good: %s", async (_, bytes) => {
    const home = await place();
    const first = await writer(home);
    const { hash } = await first.contents.put(bytes);
    await first.contents.drop(hash);
    expect(await first.contents.put(bytes)).toEqual({ hash, size: bytes.length });
    await first.close();
    const { contents } = await writer(home);
    expect(await contents.check(hash)).toBe("present");
  });

  test.each(BOTH)(
    "CON-5: whoever wins between put and drop, what is there is whole, and what isn't is pruned: %s",
    async (_, bytes) => {
      const { contents } = await writer();
      const { hash } = await contents.put(bytes);
      for (const round of range(1, 12)) {
        const calls: Promise<unknown>[] = range(1, 6).map((i) =>
          (i + round) % 3 === 0 ? contents.drop(hash) : contents.put(i % 2 === 0 ? bytes : inPieces(bytes, 50_000)),
        );
        await Promise.all(calls);
        const state = await contents.check(hash);
        expect(["present", "pruned"]).toContain(state);
        expect((await bytesIn(contents, hash))?.equals(bytes)).toBe(state === "present" ? true : undefined);
      }
    },
  );

  test.each(BOTH)("CON-5: a put that was begun after a drop is not undone by it: %s", async (_, bytes) => {
    const { contents } = await writer();
    const { hash } = await contents.put(bytes);
    for (const _round of range(1, 10)) {
      const drop = contents.drop(hash);
      await Promise.all([drop, drop.then(() => contents.put(bytes))]);
      expect(await contents.check(hash)).toBe("present");
    }
  });
}

function failures(engine: Engine): void {
  const { place, writer } = stage(engine);

  test.each([0, 1000, SMALL, SMALL + 1, 300_000])(
    "CON-7: a source that fails after %d bytes fails the put with its own error, and nothing of it is given out",
    async (size) => {
      const { contents } = await writer();
      await expect(contents.put(failing(size))).rejects.toThrow("the source broke");
      const { hash } = { hash: sha256(bytesOf(size)) };
      expect(await contents.has(hash)).toBe(false);
      expect(await contents.get(hash)).toBeUndefined();
      expect(await contents.check(hash)).toBe("missing");
      expect(await contents.put(bytesOf(size))).toMatchObject({ hash });
    },
  );

  test("CON-7: a put that fails takes nothing away from the same bytes put well", async () => {
    const { contents } = await writer();
    const bytes = bytesOf(200_000);
    const [good, bad] = await Promise.allSettled([contents.put(inPieces(bytes, 9000)), contents.put(failing(200_000))]);
    expect([good.status, bad.status]).toEqual(["fulfilled", "rejected"]);
    expect(await contents.check(sha256(bytes))).toBe("present");
  });

  test("CON-7: a put that is under way when the store closes is refused, and nothing of it is given out", async () => {
    const home = await place();
    const first = await writer(home);
    const bytes = bytesOf(200_000);
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const source = (async function* () {
      yield bytes.slice(0, 150_000);
      begun.resolve();
      await gate.promise;
      yield bytes.slice(150_000);
    })();
    const put = Promise.allSettled([first.contents.put(source)]);
    await begun.promise;
    const closing = first.close();
    gate.resolve();
    await closing;
    const [result] = await put;
    const { contents } = await writer(home);
    const state = await contents.check(sha256(bytes));
    if (result.status === "rejected") expect([result.reason.code, state]).toEqual(["closed", "missing"]);
    else expect(state).toBe("present");
  });
}

function naming(engine: Engine): void {
  const { place, writer } = stage(engine);

  const text = async (contents: Contents, words: string) => contents.put(Buffer.from(words));
  const fileAt = (path: string, before: ContentRef | null, after: ContentRef | null): PathChange => ({
    path,
    before: before && { kind: "file", mode: 0o644, ...before },
    after: after && { kind: "file", mode: 0o644, ...after },
  });
  const note = (content: ContentRef): Draft => ({ source: "agent", type: "note.observed", payload: { content } });
  const write = (change: PathChange): Draft => ({ source: "user", type: "file.write", payload: { changes: [change] } });

  test("CON-8: every content that the log names is checked, once, and the first event that names it told", async () => {
    const home = await place();
    const { log, contents } = await writer(home);
    const [a, b, c] = [await text(contents, "a"), await text(contents, "b"), await contents.put(bytesOf(100_000))];
    await text(contents, "named by nobody");
    for (const draft of [
      note(a),
      write(fileAt("x", a, b)),
      message("m"),
      note(c),
      write(fileAt("y", null, c)),
      note(b),
    ]) {
      await log.append(draft);
    }
    expect(await verifyContents(log, contents)).toEqual({ ok: true, contents: 3, pruned: 0, problems: [] });
    await contents.drop(a.hash);
    home.tamper.damageContent(b.hash);
    home.tamper.loseContent(c.hash);
    expect(await verifyContents(log, contents)).toEqual({
      ok: false,
      contents: 3,
      pruned: 1,
      problems: [
        { hash: b.hash, state: "damaged", seq: 3 },
        { hash: c.hash, state: "missing", seq: 5 },
      ],
    });
  });

  /** A list of changes that is too long for an event, with a content for each. */
  async function longList(contents: Contents): Promise<{ refs: ContentRef[]; list: ContentRef; draft: Draft }> {
    const numbers = range(1, MAX_INLINE_CHANGES + 50);
    const refs = await Promise.all(numbers.map((i) => text(contents, `file ${i}`)));
    const changes = refs.map((ref, i) => fileAt(`folder/file-${i}`, null, ref));
    const list = await contents.put(
      Buffer.from(`[\n${changes.map((change) => JSON.stringify(change)).join(",\n")}\n]`),
    );
    const draft: Draft = {
      source: "agent",
      type: "files.changed",
      payload: { by: "command", count: refs.length, list },
    };
    return { refs, list, draft };
  }

  test("CON-8: contents in long lists of changes are checked too, and the list itself", async () => {
    const home = await place();
    const { log, contents } = await writer(home);
    const { refs, list, draft } = await longList(contents);
    await log.append(draft);
    await log.append(draft);
    expect(await verifyContents(log, contents)).toEqual({ ok: true, contents: 151, pruned: 0, problems: [] });
    const [lost = list] = refs.slice(120);
    home.tamper.loseContent(lost.hash);
    expect(await verifyContents(log, contents)).toMatchObject({
      problems: [{ hash: lost.hash, state: "missing", seq: 2 }],
    });
    home.tamper.damageContent(list.hash);
    expect(await verifyContents(log, contents)).toMatchObject({
      ok: false,
      contents: 1,
      problems: [{ hash: list.hash, state: "damaged", seq: 2 }],
    });
  });

  test("CON-8: a content that is named as a list but holds none is a problem, not the end of the check", async () => {
    const { log, contents } = await writer();
    const { draft } = await longList(contents);
    for (const words of ["not JSON", "{}", '[{"path":"../x"}]']) {
      const list = await text(contents, words);
      await log.append({ source: "agent", type: "files.changed", payload: { by: "outside", count: 1, list } });
    }
    await log.append(draft);
    const report = await verifyContents(log, contents);
    expect(report).toMatchObject({ ok: false, contents: 154 });
    expect(report.problems.map((problem) => problem.seq)).toEqual([2, 3, 4]);
  });

  test("CON-8: what only a newer version understands is passed over", async () => {
    const home = await place();
    await (await writer(home)).close();
    home.tamper.plant({
      v: 2,
      id: "new",
      ts: "2031-01-01T00:00:00.000Z",
      source: "user",
      type: "note.sung",
      payload: {},
    });
    const { log, contents } = await writer(home);
    await log.append(note(await text(contents, "known")));
    expect(await verifyContents(log, contents)).toMatchObject({ ok: true, contents: 1 });
  });
}
