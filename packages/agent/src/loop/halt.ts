import type { Payload } from "@choiros/contract";

/** Why work doesn't go on although it isn't done. Of a task alone, the Director hears of it; else the ask is paused. */
export interface Halt {
  readonly halt: Payload<"ask.paused">["why"];
  readonly scope: "ask" | "task";
  readonly detail: string;
}

export function isHalt(end: unknown): end is Halt {
  return typeof end === "object" && end !== null && "halt" in end;
}

/** The reason of a signal that ends work. */
export class Halted extends Error {
  override readonly name = "Halted";
  readonly halt: Halt;

  constructor(halt: Halt) {
    super(halt.detail);
    this.halt = halt;
  }
}

export function haltOf({ reason }: AbortSignal): Halt {
  return reason instanceof Halted ? reason.halt : { halt: "stopped", scope: "ask", detail: "It was stopped." };
}
