import type { Progress } from "@choiros/computer";
import type { Operation } from "@choiros/gateway/operations";
import { connect } from "../access/connect.ts";
import type { CommandCall } from "./command.ts";

/** What a command does with what comes, and what it hands on: its standard input, or bytes of its own. */
export interface Taking<Item> {
  readonly reads?: boolean;
  readonly input?: Uint8Array;
  output?(bytes: Uint8Array): Promise<void>;
  aside?(bytes: Uint8Array): Promise<void>;
  item?(value: Item): Promise<void> | void;
}

/** Asks the running server, or the folder itself, for the computer that the command is about. */
export async function ask<Request, Item, Answer>(
  call: CommandCall,
  operation: Operation<Request, Item, Answer>,
  request: Request,
  taking: Taking<Item> = {},
): Promise<Answer> {
  const { env, home, terminal } = call;
  const userId = call.user();
  const access = await connect(home, env, (notice) => terminal.aside(notice));
  const over = new AbortController();
  try {
    return await access.run(operation, userId, request, {
      input:
        taking.reads === true ? terminal.input(AbortSignal.any([over.signal, terminal.signal])) : bytesOf(taking.input),
      output: async (bytes) => taking.output?.(bytes),
      aside: async (bytes) => taking.aside?.(bytes),
      item: async (value) => taking.item?.(value),
      progress: (progress) => terminal.progress(progressText(progress)),
      signal: terminal.signal,
    });
  } finally {
    terminal.progress(""); // the last word on it is no longer true
    over.abort(); // an input that nobody needs any more would keep the process waiting for its end
  }
}

function progressText({ what, done, total }: Progress): string {
  return total === undefined ? `${what}: ${done}` : `${what}: ${done} of ${total}`;
}

async function* bytesOf(input: Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  if (input !== undefined) yield input;
}
