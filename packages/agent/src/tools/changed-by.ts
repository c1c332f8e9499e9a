import type { Computer } from "@choiros/computer";
import { type Id, recognise } from "@choiros/contract";
import { sum, type Written, writtenBy } from "../loop/written.ts";
import type { ToolOutcome } from "./dispatch-port.ts";

/** So many are named. */
const NAMED = 20;

/** What a command did to files, by its events. */
export async function changedBy(
  computer: Computer,
  call: Id,
): Promise<Required<Pick<ToolOutcome, "changed" | "files" | "bytes">>> {
  let all: Written = { keys: [], files: 0, bytes: 0 };
  for await (const event of computer.log.read({ cause: { call }, types: ["files.changed"] })) {
    const known = recognise(event);
    const written = known.ok ? await writtenBy(computer, known.value) : undefined; // a newer version's has no place here
    if (written !== undefined) all = sum(all, written);
  }
  return { changed: all.keys.slice(0, NAMED), files: all.files, bytes: all.bytes };
}
