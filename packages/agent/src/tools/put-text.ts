import type { Sha256 } from "@choiros/contract";
import { inOneLine } from "../lease/quoted.ts";
import { shownWord } from "../lease/written-path.ts";
import { type Context, failed, type Told } from "./tool.ts";

export interface PutOptions {
  /** What the model has read there; `null` where there was nothing. */
  readonly base: Sha256 | null;
  /** Whether all of it comes from the model, or only a part. */
  readonly by: "write" | "edit";
  readonly context: Context;
}

/** Writes a file, as long as it is what was read; then it counts as read again. */
export async function putText(key: string, text: string, { base, by, context }: PutOptions): Promise<Told> {
  const { work, cause, signal } = context;
  const { mayLand } = work;
  const name = shownWord(key);
  const bytes = Buffer.from(text);
  const done = await work.computer.write(key, bytes, { base, beside: false, source: "agent", cause, mayLand, signal });
  if (!done.ok) {
    if (done.reason === "conflict") work.read.forget(key);
    return failed(`${name} was not written: ${inOneLine(done.message)}`);
  }
  // What somebody else wrote meanwhile may have been put together with this: then the model hasn't read what stands.
  const now = await work.computer.read(key);
  if (done.notes.length === 0 && now?.entry.kind === "file") work.read.wrote(key, now.entry.hash, by);
  else work.read.forget(key);
  const notes = [
    ...done.notes.map(inOneLine),
    ...done.blocked.map((one) => `${shownWord(one.key)} is not in the folder yet: ${inOneLine(one.why)}`),
  ];
  const said = [`${base === null ? "made" : "wrote"} ${name} (${bytes.length} bytes)`, ...notes];
  return { status: "ok", text: said.join("\n"), changed: [key], files: 1, bytes: bytes.length };
}
