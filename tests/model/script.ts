import type { Received } from "./received.ts";

/** What the scripted model does with one request. */
export type Turn = string | readonly Step[] | Failure | ((request: Received) => Turn | Promise<Turn>);

/** One thing of an answer, in order. A string is text. */
export type Step =
  | string
  | { readonly tool: string; readonly input: unknown; readonly id?: string }
  /** A tool's input as it is written, JSON or not. */
  | { readonly tool: string; readonly raw: string; readonly id?: string }
  | { readonly thought: string; readonly signature: string }
  /** Goes on when this is settled: what the test says, never a span of time. */
  | { readonly until: Promise<unknown> }
  /** Something that is no frame of this provider's. */
  | { readonly malformed: true }
  /** A provider's way to say that it is alive, where it has one. */
  | { readonly ping: true }
  /** The provider gives up in the middle, as it tells that. */
  | { readonly error: "overloaded" | "invalid" }
  /** The connection is cut: nothing after it is sent. */
  | { readonly cut: true }
  | { readonly stop: "length" | "refused" }
  | { readonly usage: Partial<Usage> };

export interface Failure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the provider says of it. */
  readonly message?: string;
  /** The whole body, where it isn't the provider's own form. */
  readonly body?: string;
}

export interface Usage {
  readonly in: number;
  readonly out: number;
  readonly cached: number;
  readonly written: number;
}

const USAGE: Usage = { in: 100, out: 20, cached: 0, written: 0 };

/** A turn with its functions called. */
export type Played = readonly Step[] | Failure;

export async function played(turn: Turn, request: Received): Promise<Played> {
  if (typeof turn === "string") return [turn];
  if (typeof turn === "function") return played(await turn(request), request);
  return turn;
}

export function isFailure(turn: Played): turn is Failure {
  return "status" in turn;
}

export function usageOf(steps: readonly Step[]): Usage {
  const told = steps.flatMap((step) => (typeof step === "object" && "usage" in step ? [step.usage] : []));
  return Object.assign({}, USAGE, ...told);
}

export function endOf(steps: readonly Step[]): "end" | "tools" | "length" | "refused" {
  const told = steps.find((step) => typeof step === "object" && "stop" in step);
  if (typeof told === "object" && "stop" in told) return told.stop;
  return steps.some((step) => typeof step === "object" && "tool" in step) ? "tools" : "end";
}

/** In two halves, so that what is streamed comes in pieces. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}
