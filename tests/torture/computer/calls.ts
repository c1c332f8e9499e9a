import type { Envelope, Id } from "@choiros/contract";
import { hold } from "../promise.ts";

/** The commands in a log: each was called once, ended once, and did nothing after that. */
export class Calls {
  readonly #calls = new Map<Id, { ended: number | undefined }>();

  get count(): number {
    return this.#calls.size;
  }

  hear({ type, cause, seq, payload }: Envelope): void {
    const id = cause?.call;
    if (id === undefined) return;
    const call = this.#calls.get(id);
    if (type === "tool.call") {
      hold(call === undefined, () => `the command ${id} was called twice`);
      this.#calls.set(id, { ended: undefined });
    }
    if (call === undefined) return; // no command's
    if (type === "tool.result") {
      hold(call.ended === undefined, () => `the command ${id} ended twice: ${call.ended} and ${seq}`);
      call.ended = seq;
    }
    const byCommand = typeof payload === "object" && payload !== null && "by" in payload && payload.by === "command";
    if (type !== "files.changed" || !byCommand) return;
    hold(call.ended === undefined, () => `the command ${id} did something after its end, with ${seq}`);
  }

  check(acknowledged: ReadonlyMap<Id, number>): void {
    for (const [id, { ended }] of this.#calls) hold(ended !== undefined, () => `nobody says how ${id} ended`);
    for (const [id, seq] of acknowledged) {
      const ended = this.#calls.get(id)?.ended;
      hold(ended === seq, () => `the end of ${id} was acknowledged as ${seq}, and is ${ended}`);
    }
  }
}
