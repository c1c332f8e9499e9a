import { type Json, MAX_MESSAGE_BYTES } from "@choiros/contract";
import type { FromClient } from "@choiros/contract/wire";
import { expect, test } from "vitest";
import { Pending } from "./pending.ts";

/** A line that can be cut. */
function line() {
  const said: FromClient[] = [];
  const state = { open: true };
  const pending = new Pending((words) => {
    if (state.open) said.push(words);
    return state.open;
  });
  return { said, state, pending };
}

const command = (id: string) => ({ do: "change-windows", id, request: {} });

test("DESK-24: an answer goes to whoever asked, after its items", async () => {
  const { pending } = line();
  const items: Json[] = [];
  const answer = pending.add(command("a"), { onItem: (item) => items.push(item) });
  pending.hear({ id: "b", item: 0 });
  pending.hear({ id: "a", item: 1 });
  pending.hear({ id: "a", items: [2, 3] });
  pending.hear({ id: "a", answer: "done" });
  expect(await answer).toBe("done");
  expect(items).toEqual([1, 2, 3]);
});

test("DESK-24: what changes something is said again with its id when the line is back, what wasn't said yet in order", async () => {
  const { said, state, pending } = line();
  const first = pending.add(command("a"), {});
  state.open = false;
  pending.lost();
  const second = pending.add(command("b"), {});
  expect(said).toEqual([command("a")]);
  state.open = true;
  pending.resume();
  expect(said).toEqual([command("a"), command("a"), command("b")]);
  pending.hear({ id: "a", answer: 1 });
  pending.hear({ id: "b", answer: 2 });
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  pending.resume();
  expect(said.length).toBe(3);
});

test("DESK-24: what only reads has failed where the line breaks after some of it came, and is said again where nothing did", async () => {
  const { said, state, pending } = line();
  const cut = pending.add(command("a"), { reads: true });
  const unanswered = pending.add(command("c"), { reads: true });
  pending.hear({ id: "a", item: 1 });
  state.open = false;
  const early = pending.add(command("b"), { reads: true });
  pending.lost();
  await expect(cut).rejects.toThrow("The connection broke off.");
  state.open = true;
  pending.resume();
  expect(said.slice(2)).toEqual([command("c"), command("b")]);
  pending.hear({ id: "b", answer: null });
  pending.hear({ id: "c", answer: 1 });
  expect(await Promise.all([early, unanswered])).toEqual([null, 1]);
});

test("DESK-24: a problem is told in the server's words, and whoever stops is heard by the server", async () => {
  const { said, pending } = line();
  const wrong = pending.add(command("a"), {});
  pending.hear({ id: "a", problem: { title: "Not done", detail: "There is no such window." } });
  await expect(wrong).rejects.toThrow("There is no such window.");
  const ended = new AbortController();
  const stopped = pending.add(command("b"), { signal: ended.signal });
  ended.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  expect(said.at(-1)).toEqual({ stop: "b" });
  await expect(pending.add(command("c"), { signal: ended.signal })).rejects.toThrow("enough");
  expect(said.at(-1)).toEqual({ stop: "b" });
});

test("DESK-24: what is longer than the server hears is refused here, and not said: that would end the line each time", async () => {
  const { said, pending } = line();
  const long = (characters: number) => ({ ...command("a"), request: { text: "é".repeat(characters) } });
  await expect(pending.add(long(MAX_MESSAGE_BYTES / 2), {})).rejects.toThrow(
    "That is too long to be sent at once: no more than 262 KB can be.",
  );
  pending.resume();
  expect(said).toEqual([]);
  void pending.add(long(MAX_MESSAGE_BYTES / 2 - 100), {});
  expect(said.length).toBe(1);
});
