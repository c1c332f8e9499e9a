import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import type { Envelope, UserId } from "@choiros/contract";
import { z } from "zod";
import { CommandError } from "../command-error.ts";
import {
  type Access,
  EventMessage,
  type EventQuery,
  type Head,
  type Progress,
  Status,
  type Verification,
  VerifyMessage,
} from "./access.ts";

const Problem = z.object({ detail: z.string() });

/** Through the running server's own socket. Streams are one JSON document a line. */
export class SocketAccess implements Access {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  async status(): Promise<Status> {
    const lines = this.#lines("/status", new AbortController().signal);
    for await (const line of lines) return read(Status, line);
    throw cutOff();
  }

  async *events(userId: UserId, query: EventQuery, signal: AbortSignal): AsyncIterable<Envelope> {
    const parameters = new URLSearchParams({ from: String(query.from), follow: String(query.follow) });
    if (query.to !== undefined) parameters.set("to", String(query.to));
    for (const type of query.type ?? []) parameters.append("type", type);
    for await (const line of this.#lines(`/computers/${userId}/events?${parameters}`, signal)) {
      const message = read(EventMessage, line);
      if ("failed" in message) throw new CommandError(message.failed);
      yield message.event;
    }
  }

  async verify(
    userId: UserId,
    expect: Head | undefined,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<Verification> {
    const parameters = expect === undefined ? "" : `?expect=${expect.seq}:${expect.hash}`;
    for await (const line of this.#lines(`/computers/${userId}/verify${parameters}`, signal)) {
      const message = read(VerifyMessage, line);
      if ("failed" in message) throw new CommandError(message.failed);
      if ("result" in message) return message.result;
      onProgress(message.done, message.total);
    }
    throw cutOff();
  }

  /** The lines of an answer. A connection that breaks is an error, not an end. */
  async *#lines(path: string, signal: AbortSignal): AsyncIterable<string> {
    try {
      const answer = await this.#get(path, signal);
      let failure: Error | undefined;
      answer.on("error", (error) => {
        failure = error;
      });
      for await (const line of createInterface({ input: answer })) yield line;
      if (failure !== undefined) throw failure;
      if (!answer.complete) throw cutOff();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof z.ZodError)
        throw new CommandError("the server speaks another version: stop it and start it anew");
      throw error instanceof CommandError ? error : cutOff(error);
    }
  }

  async #get(path: string, signal: AbortSignal): Promise<IncomingMessage> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ socketPath: this.#socket, path, signal }, resolve).on("error", reject).end();
    });
    if (answer.statusCode === 200) return answer;
    const problem = Problem.safeParse(JSON.parse(await textOf(answer)));
    throw new CommandError(problem.data?.detail ?? `the server answered ${answer.statusCode} to ${path}`);
  }

  async close(): Promise<void> {}
}

function read<T>(schema: z.ZodType<T>, line: string): T {
  const parsed = schema.safeParse(JSON.parse(line));
  if (parsed.success) return parsed.data;
  throw new CommandError("the server is of another version than this command: stop it, and start it anew");
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function cutOff(cause?: unknown): CommandError {
  return new CommandError("the server has gone away: see 'choir status'", { cause });
}
