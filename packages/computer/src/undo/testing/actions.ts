import type { Entry } from "@choiros/contract";
import { isBelow } from "@choiros/contract";
import fc from "fast-check";
import type { Choice } from "../../outcome.ts";
import type { Model } from "./model.ts";

/** Few names and few contents, so that actions meet. */
export interface Action {
  readonly kind: "write" | "binary" | "mkdir" | "remove" | "chmod" | "link" | "move" | "value" | "undo";
  readonly key: string;
  readonly to: string;
  readonly number: number;
  /** Whose it is: what one task did is undone together. */
  readonly task: number;
  readonly choice: Choice | undefined;
}

const NAMES = ["a", "b"];
const KEYS = NAMES.flatMap((one) => [
  one,
  ...NAMES.flatMap((two) => [`${one}/${two}`, ...NAMES.map((three) => `${one}/${two}/${three}`)]),
]);
const KINDS: readonly Action["kind"][] = [
  "write",
  "binary",
  "mkdir",
  "remove",
  "chmod",
  "link",
  "move",
  "value",
  "undo",
];

const TASKS = 3;

export function actions(kinds: readonly Action["kind"][] = KINDS, maxLength = 25): fc.Arbitrary<Action[]> {
  const key = fc.constantFrom(...KEYS).map((name) => `workspace/${name}`);
  const action = fc.record({
    kind: fc.constantFrom(...kinds),
    key,
    to: key,
    number: fc.nat(5),
    task: fc.nat(TASKS - 1),
    choice: fc.constantFrom<(Choice | undefined)[]>(undefined, "mine", "theirs"),
  });
  return fc.array(action, { minLength: 1, maxLength });
}

/** Does an action that changes something; the event's seq, or `undefined` where nothing changed. Undo is the test's own. */
export function act(computer: Model, { kind, key, to, number }: Action): number | undefined {
  if (kind === "value") {
    const same = computer.values.get("theme") === number;
    return same ? undefined : computer.setValue("theme", number);
  }
  const wanted = kind === "move" ? moved(computer, key, to) : { [key]: entryFor(computer, { kind, key, number }) };
  const before = computer.events.length;
  const seq = computer.set(wanted);
  if (computer.events[before]?.length !== 0) return seq;
  computer.events.pop();
  computer.trees.pop();
  return undefined;
}

function entryFor(computer: Model, { kind, key, number }: Pick<Action, "kind" | "key" | "number">): Entry | null {
  const stands = computer.tree.get(key) ?? null;
  if (kind === "write") return computer.file(textOf(number));
  if (kind === "binary") return computer.file(Uint8Array.of(0, number));
  if (kind === "mkdir") return stands?.kind === "dir" ? stands : { kind: "dir", mode: 0o755 };
  if (kind === "link") return { ...computer.file(`to ${number}`), kind: "link" } as Entry; // a link has a file's shape
  if (kind === "chmod") return stands === null ? null : { ...stands, mode: 0o700 + number };
  return null;
}

/** Texts of which some differ in lines that are far apart, and some in the same. */
function textOf(number: number): string {
  return `${number & 1}\n-\n-\n${number >> 1}\n`;
}

function moved(computer: Model, from: string, to: string): Record<string, Entry | null> {
  const entry = computer.tree.get(from);
  if (entry === undefined || from === to || isBelow(to, from) || isBelow(from, to)) return {};
  const inside = [...computer.tree].filter(([key]) => isBelow(key, from));
  const there = inside.map(([key, inner]) => [to + key.slice(from.length), inner] as const);
  return { [from]: null, [to]: null, ...Object.fromEntries([[to, entry], ...there]) };
}
