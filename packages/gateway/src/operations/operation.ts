import type { Computer, OpenedComputer, Progress } from "@choiros/computer";
import type { Id, UserId } from "@choiros/contract";
import type { Opened, Signals } from "@choiros/log";
import type { z } from "zod";
import { OperationError } from "./operation-error.ts";
import type { Readiness } from "./readiness.ts";

/**
 * One thing that can be asked of a computer. The command line runs it on the folder itself, or a running server does, and
 * nobody can tell the difference: what goes in and what comes out has a schema.
 */
export interface Operation<Request, Item, Answer> {
  readonly name: string;
  /** The command that asks for it, where that has another name. */
  readonly command?: string;
  readonly request: z.ZodType<Request>;
  readonly item: z.ZodType<Item>;
  readonly answer: z.ZodType<Answer>;
  /** What it may be asked of besides a computer that is there: the first of a home, or one that is to come. */
  readonly makes?: "first" | "new";
  /** Says for whom it waits before it can begin. Others take their turns without a word. */
  readonly tellsWait?: true;
  /** Answers also where it is stopped: whoever stopped it wants to know what came of it. */
  readonly answersStopped?: boolean;
  run(place: Place, request: Request, work: Work<Item>): Promise<Answer>;
}

/** What goes to and fro while an operation runs. The same on both sides of a socket. */
export interface Work<Item> {
  /** Names the call that it makes, and its event: with the same one again, nothing is done twice. */
  readonly id?: Id;
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
  /** As long as somebody uses it, it isn't closed for being idle. Returns the way to say that it is over. */
  use(): () => void;
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
  /** Whether somebody answers asks here, now that it is open; or plays the demo, which needs no model. */
  agents?(demo?: boolean): Promise<Readiness>;
  /** What is said of it meanwhile, and isn't kept. */
  signals?(): Signals;
  /** More than this no command gets, whatever it asks for. Without it, one may ask for more than is usual. */
  readonly most?: { readonly memoryBytes: number; readonly timeMs: number };
}

export async function computerAt(place: Place): Promise<Computer> {
  const opened = await place.openComputer();
  if (opened.ok) return opened.computer;
  throw new OperationError(opened.message);
}

/** Its types are found out from its schemas. It uses its computer as long as it runs. */
export function operation<Request, Item, Answer>(
  parts: Operation<Request, Item, Answer>,
): Operation<Request, Item, Answer> {
  return {
    ...parts,
    async run(place, request, work) {
      const release = place.use();
      try {
        return await parts.run(place, request, work);
      } finally {
        release();
      }
    },
  };
}
