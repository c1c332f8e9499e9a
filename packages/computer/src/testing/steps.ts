import fc from "fast-check";
import type { Deed } from "../computer-port.ts";

/** What can happen to a computer, in a form that reads as a list of commands where a property fails. */
export type Step =
  | readonly ["write", key: string, text: string, mode: number]
  | readonly ["remove", key: string]
  | readonly ["arrange", deeds: readonly Deed[]]
  | readonly ["add", to: string]
  /** What others do, unseen. */
  | readonly ["outside write", key: string, text: string]
  | readonly ["outside remove", key: string]
  | readonly ["outside rename", from: string, to: string]
  | readonly ["outside chmod", key: string, mode: number]
  | readonly ["outside link", key: string, target: string]
  | readonly ["outside mkdir", key: string]
  /** The same, by a command in the sandbox; cut off before its end, it did nothing. */
  | readonly ["command", does: readonly Step[], end: "exits" | "fails" | "is stopped"]
  | readonly ["capture"]
  /** Of the event so many before the last. */
  | readonly ["undo", back: number]
  | readonly ["undo call", back: number]
  /** Undoes, then undoes that. */
  | readonly ["undo twice", back: number]
  | readonly ["rewind", back: number]
  | readonly ["restore", key: string, back: number]
  | readonly ["restart", lost: "nothing" | "seen" | "state" | "both" | "latest seen"]
  /** The event is in the log, and before it lands the process is gone. */
  | readonly ["cut off", key: string, text: string | null]
  /** The same, and before it is opened again somebody does something to the folder. */
  | readonly ["cut off, meanwhile", key: string, others: readonly Step[]]
  | readonly ["rebuild"];

const KEYS = [
  "workspace/a",
  "workspace/b.txt",
  "workspace/d",
  "workspace/d/x",
  "workspace/d/e",
  "workspace/d/e/z",
  "workspace/d//ff",
  "artifacts/t",
] as const;

const TEXTS = ["", "1\n", "1\n2\n3\n4\n", "one\n2\n3\n4\n", "1\n2\n3\nfour\n", "\u0000\u0001"] as const;

const key = fc.constantFrom(...KEYS);
const text = fc.constantFrom(...TEXTS);
const back = fc.nat(12);
const mode = fc.constantFrom(0o644, 0o755, 0o600);

function step<Name extends Step[0]>(name: Name, ...rest: fc.Arbitrary<unknown>[]): fc.Arbitrary<Step> {
  return fc.tuple(fc.constant(name), ...rest) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>; // each line below is one of the union
}

const others = fc.oneof(
  step("outside write", key, fc.constant("theirs\n")),
  step("outside remove", key),
  step("outside rename", key, key),
  step("outside chmod", key, mode),
  step("outside link", key, fc.constant("theirs")),
  step("outside mkdir", key),
);

const deeds = fc.oneof(
  { weight: 3, arbitrary: step("outside write", key, text) },
  { weight: 2, arbitrary: step("outside remove", key) },
  { weight: 3, arbitrary: step("outside rename", key, key) },
  step("outside chmod", key, mode),
  step("outside link", key, fc.constantFrom("a", "../artifacts/t", "d")),
  { weight: 2, arbitrary: step("outside mkdir", key) },
);
const between = fc.record({ from: key, to: key });
const atDesk: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ move: between }),
  fc.record({ copy: between }),
  fc.record({ remove: fc.record({ key }) }),
  fc.record({ folder: fc.record({ key }) }),
  fc.record({ file: fc.record({ key }) }),
);
const ends = fc.constantFrom("exits", "exits", "exits", "fails", "is stopped");

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: step("write", key, text, mode) },
    { weight: 2, arbitrary: step("remove", key) },
    { weight: 6, arbitrary: step("arrange", fc.array(atDesk, { minLength: 1, maxLength: 4 })) },
    { weight: 1, arbitrary: step("add", key) },
    { weight: 4, arbitrary: step("outside write", key, text) },
    { weight: 2, arbitrary: step("outside remove", key) },
    { weight: 2, arbitrary: step("outside rename", key, key) },
    { weight: 1, arbitrary: step("outside chmod", key, mode) },
    { weight: 1, arbitrary: step("outside link", key, fc.constantFrom("a", "../artifacts/t", "d", "nowhere")) },
    { weight: 1, arbitrary: step("outside mkdir", key) },
    { weight: 2, arbitrary: step("command", fc.array(deeds, { minLength: 1, maxLength: 8 }), ends) },
    { weight: 2, arbitrary: step("capture") },
    { weight: 5, arbitrary: step("undo", back) },
    { weight: 1, arbitrary: step("undo call", back) },
    { weight: 2, arbitrary: step("undo twice", back) },
    { weight: 2, arbitrary: step("rewind", back) },
    { weight: 2, arbitrary: step("restore", key, back) },
    { weight: 1, arbitrary: step("restart", fc.constantFrom("nothing", "seen", "state", "both", "latest seen")) },
    { weight: 1, arbitrary: step("cut off", key, fc.option(text)) },
    { weight: 3, arbitrary: step("cut off, meanwhile", key, fc.array(others, { minLength: 1, maxLength: 4 })) },
    { weight: 1, arbitrary: step("rebuild") },
  ),
  { minLength: 1, maxLength: 14 },
);
