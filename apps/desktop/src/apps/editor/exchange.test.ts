import { expect, test, vi } from "vitest";
import type { DeskApi } from "../../desk/api.ts";
import { Problem } from "../../desk/problem.ts";
import { Watched } from "../../watched.ts";
import { type Doc, opened, places, putBack, typed } from "./document.ts";
import { Exchange } from "./exchange.ts";
import { PLAIN } from "./text-file.ts";

/** A server that answers each write with the next of these, and then as it should. */
function exchanged(answers: (() => unknown)[]) {
  const connection = new Watched<"live" | "lost">("live");
  const bases: (string | null)[] = [];
  const written: { text: string; id: string }[] = [];
  let doc: Doc = typed(opened({ hash: "a".repeat(64), text: "one\n" }), "one\ntwo\n");
  let stands = "one\n";
  const files = {
    watch: () => () => {},
    read: async () => new Response(stands, { headers: { etag: `"${"b".repeat(64)}"` } }),
    write: async (
      _key: string,
      bytes: Blob,
      { base, id, beside }: { base: string | null; id: string; beside?: false },
    ) => {
      expect(beside).toBe(false);
      bases.push(base);
      const failed = answers.shift();
      if (failed !== undefined) return failed();
      stands = await bytes.text();
      written.push({ id, text: stands });
      return { ok: true, notes: [], seq: 2, changed: 1 };
    },
  };
  const desk = { connection, files, notify: () => {} } as unknown as DeskApi; // as far as it is used here
  const take = (next: { readonly doc: Doc }) => {
    doc = next.doc;
  };
  const exchange = new Exchange(desk, { look: () => doc, take }, { key: "workspace/a.md", writing: PLAIN });
  const become = (text: string) => {
    stands = text;
  };
  return { bases, become, connection, exchange, look: () => doc, take, written };
}

test.each([401, 429, 503])(
  "EDIT-6: a save that a server turns away with %d is made when it is back, without anybody typing again",
  async (status) => {
    const { connection, exchange, written } = exchanged([
      () => {
        throw new Problem("Not now", "Try again.", status);
      },
    ]);
    await exchange.save();
    expect([written, exchange.problem?.offline]).toEqual([[], true]);
    connection.set("lost");
    connection.set("live");
    await vi.waitFor(() => expect(written.map(({ text }) => text)).toEqual(["one\ntwo\n"]));
    exchange.end();
  },
);

test("EDIT-15: what breaks in this page isn't called a missing connection", async () => {
  const { exchange } = exchanged([
    () => {
      throw new Error("Something broke.");
    },
  ]);
  await exchange.save();
  expect(exchange.problem).toEqual({ words: "Something broke.", offline: false });
  exchange.end();
});

test.each([
  ["one, theirs\ntwo\n", 1, []],
  ["zero\none\n", 0, ["zero\none\ntwo\n"]],
])(
  "EDIT-2: what the server can't put together is shown, and written where nobody has to choose: over %j",
  async (theirs, open, saved) => {
    const { become, exchange, look, written } = exchanged([
      () => {
        become(theirs);
        return { ok: false, reason: "conflict", message: "It had changed." };
      },
    ]);
    await exchange.save();
    expect([places(look()).length, exchange.problem]).toEqual([open, undefined]);
    expect(written.map(({ text }) => text)).toEqual(saved);
    exchange.end();
  },
);

test("EDIT-4: what is saved again where something that is no text stands takes the place of exactly that", async () => {
  const { bases, become, exchange, look, take, written } = exchanged([]);
  become("\u0000\u0001\u0002");
  exchange.moved("workspace/a.md"); // what stands there is looked at
  await vi.waitFor(() => expect(exchange.other).toBe("Binary data"));
  take({ doc: putBack(look()) });
  await exchange.save();
  expect([bases, written.map(({ text }) => text)]).toEqual([["b".repeat(64)], ["one\ntwo\n"]]);
  expect(exchange.other).toBeUndefined();
  exchange.end();
});
