import type { Computer, OpenedComputer, Progress } from "@choiros/computer";
import type { UserId } from "@choiros/contract";
import type { Opened } from "@choiros/log";
import type { z } from "zod";
import { CommandError } from "../command-error.ts";

/**
 * One thing that can be asked of a computer. The command line runs it on the folder itself, or a running server does, and
 * nobody can tell the difference: what goes in and what comes out has a schema.
 */
export interface Operation<Request, Item, Answer> {
  readonly name: string;
  readonly request: z.ZodType<Request>;
  readonly item: z.ZodType<Item>;
  readonly answer: z.ZodType<Answer>;
  /** What it may be asked of besides a computer that is there: the first of a home, or one that is to come. */
  readonly makes?: "first" | "new";
  /** Answers also where it is stopped: whoever stopped it wants to know what came of it. */
  readonly answersStopped?: boolean;
  run(place: Place, request: Request, work: Work<Item>): Promise<Answer>;
}

/** What goes to and fro while an operation runs. The same on both sides of a socket. */
export interface Work<Item> {
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves once there is room for more, as do `aside` and `item`. */
  output(bytes: Uint8Array): Promise<void>;
  /** What a command that runs in the computer writes to standard error. */
  aside(bytes: Uint8Array): Promise<void>;
  item(value: Item): Promise<void>;
  /** Only worth seeing: some of it may be left out. */
  progress(progress: Progress): void;
  readonly signal: AbortSignal;
}

/** Where a computer is, open or not. */
export interface Place {
  readonly userId: UserId;
  /** `{home}/users/{user_id}`. */
  readonly root: string;
  /** The folder of its log and contents. */
  readonly store: string;
  /**
   * What others did to the folder becomes an event, unless somebody else has it open: then that one sees to it. With
   * `looking`, also what a watcher hasn't told yet.
   */
  takeUp(options?: { readonly looking?: boolean }): Promise<void>;
  /** Its log and contents, for reading: also while another process writes. */
  openStore(): Promise<Opened>;
  openComputer(): Promise<OpenedComputer>;
  /** Whether its commands run without a sandbox. */
  unsafe(): Promise<boolean>;
}

export async function computerAt(place: Place): Promise<Computer> {
  const opened = await place.openComputer();
  if (opened.ok) return opened.computer;
  throw new CommandError(opened.message);
}

/** Lets the compiler find out the types of an operation from its schemas. */
export function operation<Request, Item, Answer>(
  parts: Operation<Request, Item, Answer>,
): Operation<Request, Item, Answer> {
  return parts;
}
