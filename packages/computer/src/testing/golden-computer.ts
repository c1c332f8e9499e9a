import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Computer } from "../computer-port.ts";
import { type OpenComputerOptions, openComputer } from "../open-computer.ts";
import type { Outcome } from "../outcome.ts";
import { goldenEvents } from "./golden-events.ts";

/** A computer to which something of every kind has happened: each type of event, odd names, a long list, undos. */
export async function openGolden(root: string): Promise<Computer> {
  let at = Date.UTC(2026, 0, 1);
  const now: OpenComputerOptions["now"] = () => {
    at += 1000;
    return new Date(at);
  };
  const opened = await openComputer({ root, userId: "ada", create: true, now });
  if (!opened.ok) throw new Error(opened.message);
  await fill(opened.computer);
  return opened.computer;
}

async function fill(computer: Computer): Promise<void> {
  const say = await computer.contents.put(Buffer.from("what was said"));
  await did(computer.write("workspace/notes.md", Buffer.from("one\ntwo\nthree\n"), call(1)));
  await did(computer.write("workspace/notes.md", Buffer.from("one\n2\nthree\n"), call(2)));
  await did(computer.write("workspace/bin/run", Buffer.from("#!/bin/sh\n"), { ...call(3), mode: 0o755 }));
  await did(computer.write("artifacts/large", Buffer.alloc(70_000, "large "), call(4)));
  plant(computer.root);
  await computer.capture();
  await did(computer.move("workspace/notes.md", "workspace/deep/er/notes.md", call(5)));
  await did(computer.move("workspace/bin", "choiros/bin", call(6)));
  await did(computer.remove("workspace/many/7", call(7)));
  await did(computer.remove("workspace/odd", call(8)));
  for (const draft of goldenEvents(say)) {
    const appended = await computer.log.append(draft);
    if (!appended.ok) throw new Error(`${draft.type}: ${appended.message}`);
  }
  const directory = { path: "workspace/made", before: null, after: { kind: "dir" as const, mode: 0o750 } };
  await computer.log.append({ source: "agent", type: "dir.create", payload: { changes: [directory] } });
  await did(computer.undo({ call: "call-8" }, call(9)));
  const head = (await computer.log.head()).seq;
  await did(computer.undo({ since: 5 }, call(10)));
  await did(computer.undo({ seq: head + 1 }, call(11)));
  await did(computer.restore("workspace/many/7", 6, call(12)));
}

/** By other hands, and captured: bytes that aren't UTF-8, a newline in a name, links, modes, empty things, a long list. */
function plant(root: string): void {
  const workspace = join(root, "workspace");
  for (const dir of ["many", "odd", "odd/empty"]) {
    mkdirSync(join(workspace, dir));
    chmodSync(join(workspace, dir), 0o755);
  }
  for (let i = 0; i < 110; i++) write(join(workspace, "many", `${i}`), `${i}`);
  write(Buffer.concat([Buffer.from(join(workspace, "odd/")), Buffer.from([0x61, 0xff, 0xfe])]), "odd bytes");
  write(join(workspace, "odd/two\nlines"), "");
  write(join(workspace, "odd/e\u0301 \u2028"), Buffer.from([0, 1, 2, 255]));
  symlinkSync("../../outside", join(workspace, "odd/link"));
}

function write(path: string | Buffer, bytes: string | Uint8Array): void {
  writeFileSync(path, bytes);
  chmodSync(path, 0o644);
}

function call(number: number) {
  return { cause: { call: `call-${number}` }, id: `event-${number}` };
}

async function did(outcome: Promise<Outcome>): Promise<void> {
  const result = await outcome;
  if (!result.ok) throw new Error(result.message);
}
