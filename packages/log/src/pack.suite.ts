import type { Sha256 } from "@choiros/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Contents, Version } from "./contents.ts";
import { bytesIn, bytesOf, sha256 } from "./testing/bytes.ts";
import { range } from "./testing/drafts.ts";
import type { Engine } from "./testing/engine.ts";
import { stage } from "./testing/stage.ts";
import { textOf } from "./testing/texts.ts";

export function packSuite(engine: Engine): void {
  describe("packing", () => {
    sameAsBefore(engine);
    slices(engine);
    leaning(engine);
    cutOff(engine);
  });
}

/** Versions of one text, each put; the first has no former. */
async function history(contents: Contents, count: number, bytes = 20_000) {
  const texts = range(1, count).map((i) => textOf(bytes, i));
  const refs = await Promise.all(texts.map((text) => contents.put(text)));
  const versions: Version[] = refs.map(({ hash }, i) => {
    const former = refs[i - 1]?.hash;
    return former === undefined ? { hash } : { hash, former };
  });
  const textBy = new Map(refs.map(({ hash }, i) => [hash, texts[i] ?? Buffer.of()]));
  return { versions, textBy, hashes: refs.map(({ hash }) => hash) };
}

async function packAll(contents: Contents, versions: readonly Version[]): Promise<number> {
  let saved = 0;
  for (let rest = versions; rest.length > 0; ) {
    const packed = await contents.pack(rest);
    rest = rest.slice(packed.done);
    saved += packed.saved;
  }
  return saved;
}

async function expectWhole(contents: Contents, textBy: ReadonlyMap<Sha256, Uint8Array>): Promise<void> {
  for (const [hash, text] of textBy) {
    expect(await contents.check(hash)).toBe("present");
    expect((await bytesIn(contents, hash))?.equals(text)).toBe(true);
    expect(await contents.has(hash)).toBe(true);
  }
}

const KINDS: [what: string, bytes: number][] = [
  ["small", 20_000],
  ["large", 300_000],
];

function sameAsBefore(engine: Engine): void {
  const { place, writer, reader, crash } = stage(engine);

  test.each(KINDS)("CON-9: packed contents are the same bytes and take less room: %s", async (kind, bytes) => {
    const home = await place();
    const { contents } = await writer(home);
    const other = await reader(home);
    const { versions, textBy } = await history(contents, 5, bytes);
    const saved = await packAll(contents, versions);
    if (kind === "small") expect(saved).toBeGreaterThan(2.5 * bytes); // large ones take less from the beginning: CON-13
    await expectWhole(contents, textBy);
    await expectWhole(other.contents, textBy);
    await expectWhole((await writer(await crash(home))).contents, textBy);
  });

  test("CON-9: a version differs from the next by little, and little is what is left of it", async () => {
    const { contents } = await writer();
    const { versions } = await history(contents, 20);
    const saved = await packAll(contents, versions);
    expect(saved).toBeGreaterThan(20 * 20_000 - 20_000); // all of them but less than one
  });

  test.each([
    ["small", 20_000],
    ["large", 300_000],
  ])("CON-9: what can't be made smaller stays as it is: %s", async (_, size) => {
    const { contents } = await writer();
    const [first, second] = [bytesOf(size, 1), bytesOf(size, 2)];
    const former = (await contents.put(first)).hash;
    const { hash } = await contents.put(second);
    expect(await packAll(contents, [{ hash: former }, { hash, former }])).toBe(0);
    await expectWhole(contents, new Map([first, second].map((bytes) => [sha256(bytes), bytes])));
  });

  test("CON-9: putting a packed content changes nothing, and dropping and putting it brings it back", async () => {
    for (const [, bytes] of KINDS) {
      const { contents } = await writer();
      const { versions, textBy, hashes } = await history(contents, 3, bytes);
      await packAll(contents, versions);
      for (const text of textBy.values()) await contents.put(text);
      await expectWhole(contents, textBy);
      for (const hash of hashes) expect(await contents.drop(hash)).toBe(true);
      for (const hash of hashes) expect(await contents.check(hash)).toBe("pruned");
      for (const text of textBy.values()) await contents.put(text);
      await expectWhole(contents, textBy);
    }
  });

  test.each(KINDS)("CON-9: who reads while it is packed gets the same bytes: %s", async (_, bytes) => {
    const { contents } = await writer();
    const { versions, textBy, hashes } = await history(contents, 4, bytes);
    const early = await Promise.all(hashes.map((hash) => contents.get(hash))); // asked for, but not begun
    const packing = packAll(contents, versions);
    const during = hashes.map((hash) => bytesIn(contents, hash));
    await packing;
    for (const [i, hash] of hashes.entries()) {
      expect(sha256((await during[i]) ?? Buffer.of())).toBe(hash);
      expect(sha256(Buffer.concat(await Array.fromAsync(early[i] ?? [])))).toBe(hash);
    }
    await expectWhole(contents, textBy);
  });
}

function slices(engine: Engine): void {
  const { place, writer } = stage(engine);

  test("CON-10: one call does one slice and says how far it got; packed again, there is nothing to save", async () => {
    const { contents } = await writer();
    const { versions } = await history(contents, 60, 2000);
    const first = await contents.pack(versions);
    expect(first.done).toBeGreaterThan(0);
    expect(first.done).toBeLessThan(60);
    expect(first.saved).toBeGreaterThan(0);
    await packAll(contents, versions);
    expect(await packAll(contents, versions)).toBe(0);
    expect(await contents.pack([])).toEqual({ done: 0, saved: 0 });
  });

  test.each(KINDS)("CON-10: what is unknown, dropped or damaged is passed over: %s", async (_, bytes) => {
    const home = await place();
    const { contents } = await writer(home);
    const { versions, hashes } = await history(contents, 5, bytes);
    const [, lost = "", dropped = "", harmed = ""] = hashes;
    home.tamper.loseContent(lost);
    await contents.drop(dropped);
    home.tamper.damageContent(harmed);
    const unknown = "f".repeat(64);
    await packAll(contents, [{ hash: unknown }, ...versions, { hash: unknown, former: hashes[0] ?? "" }]);
    const states = await Promise.all(hashes.map((hash) => contents.check(hash)));
    expect(states).toEqual(["present", "missing", "pruned", "damaged", "present"]);
  });
}

function leaning(engine: Engine): void {
  const { place, writer, crash } = stage(engine);

  test("CON-11: whichever packed content is dropped, the others stay whole", async () => {
    for (const at of [0, 3, 6, 7]) {
      const home = await place();
      const { contents } = await writer(home);
      const { versions, textBy, hashes } = await history(contents, 8);
      await packAll(contents, versions);
      const gone = hashes[at] ?? "";
      await contents.drop(gone);
      textBy.delete(gone);
      await expectWhole(contents, textBy);
      await expectWhole((await writer(await crash(home))).contents, textBy);
      expect(await contents.check(gone)).toBe("pruned");
    }
  });

  test.each(["damageContent", "loseContent"] as const)(
    "CON-11: %s of the one that the others lean on is told for each of them, and putting it again mends all",
    async (harm) => {
      const home = await place();
      const { contents } = await writer(home);
      const { versions, textBy, hashes } = await history(contents, 5);
      await packAll(contents, versions);
      const last = hashes.at(-1) ?? "";
      home.tamper[harm](last);
      for (const hash of hashes.slice(0, -1)) {
        expect(await contents.check(hash)).toBe("damaged");
        await expect(bytesIn(contents, hash)).rejects.toMatchObject({ code: "damaged" });
      }
      for (const hash of hashes) await contents.put(textBy.get(hash) ?? Buffer.of());
      await expectWhole(contents, textBy);
    },
  );

  test("CON-11: any order of puts, packs and drops leaves each content whole or pruned", async () => {
    const texts = range(0, 7).map((i) => textOf(3000, i));
    const hashes = texts.map(sha256);
    const one = fc.nat({ max: 7 });
    const order = fc.oneof(
      { weight: 2, arbitrary: fc.record({ do: fc.constant("put" as const), at: one, to: one }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constant("pack" as const), at: one, to: one }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("drop" as const), at: one, to: one }) },
    );
    const { contents } = await writer();
    await fc.assert(
      fc.asyncProperty(fc.array(order, { maxLength: 30 }), async (orders) => {
        const there = new Set(hashes);
        await Promise.all(texts.map((text) => contents.put(text)));
        for (const { do: what, at, to } of orders) {
          const [hash = "", former = "", text = Buffer.of()] = [hashes[at], hashes[to], texts[at]];
          if (what === "put") await contents.put(text);
          if (what === "drop") await contents.drop(hash);
          if (what === "pack") await contents.pack([{ hash, former }]);
          if (what === "put") there.add(hash);
          if (what === "drop") there.delete(hash);
        }
        for (const hash of hashes) expect(await contents.check(hash)).toBe(there.has(hash) ? "present" : "pruned");
      }),
      { numRuns: 15 },
    );
  });
}

function cutOff(engine: Engine): void {
  const { place, writer, crash } = stage(engine);

  test.each(KINDS)("CON-12: a crash at any moment of packing leaves every content whole: %s", async (_, bytes) => {
    const home = await place();
    const { contents } = await writer(home);
    const { versions, textBy } = await history(contents, 4, bytes);
    let packed = false;
    const packing = packAll(contents, versions).finally(() => {
      packed = true;
    });
    for (let rounds = 0; !packed && rounds < 8; rounds++) {
      const left = await writer(await crash(home));
      await expectWhole(left.contents, textBy);
      await packAll(left.contents, versions);
      await expectWhole(left.contents, textBy);
    }
    await packing;
  });

  test.each(KINDS)("CON-12: a store that closes while it packs is as it was, or packed: %s", async (_, bytes) => {
    const home = await place();
    const first = await writer(home);
    const { versions, textBy } = await history(first.contents, 4, bytes);
    const packing = packAll(first.contents, versions).catch((error) => error.code);
    await first.close();
    expect([undefined, "closed"]).toContain(typeof (await packing) === "number" ? undefined : await packing);
    await expectWhole((await writer(home)).contents, textBy);
  });
}
