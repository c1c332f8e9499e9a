import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request as ask, type ClientRequest, type IncomingMessage } from "node:http";
import type { UserId } from "@choiros/contract";
import { type Operation, Progress, type Work } from "@choiros/gateway/operations";
import { z } from "zod";
import { CommandError } from "../command-error.ts";
import { type Access, Status } from "./access.ts";
import { BrokenFrames, byteFrames, FRAMES_TYPE, type Frame, readFrames, send, valueFrame, valueIn } from "./frames.ts";

/** Names what is under way, so that it can be stopped. */
export const WORK_HEADER = "x-choir-work";

const Problem = z.object({ detail: z.string() });
const Failed = z.strictObject({ message: z.string() });

/** Through the running server's own socket. */
export class SocketAccess implements Access {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  status(signal: AbortSignal): Promise<Status> {
    return askServer(this.#socket, { path: "/status", signal }, Status);
  }

  async run<Request, Item, Answer>(
    operation: Operation<Request, Item, Answer>,
    userId: UserId,
    request: Request,
    work: Work<Item>,
  ): Promise<Answer> {
    const token = randomUUID();
    const sent = ask({
      socketPath: this.#socket,
      method: "POST",
      path: `/computers/${userId}/${operation.name}`,
      // Whoever gets the answer hangs up: the server must not, while it may still be sent what it won't need.
      headers: { "content-type": FRAMES_TYPE, connection: "keep-alive", [WORK_HEADER]: token },
      agent: false,
    });
    const stop = () => (operation.answersStopped === true ? this.#stop(token, sent) : void sent.destroy());
    if (work.signal.aborted) sent.destroy();
    else work.signal.addEventListener("abort", stop, { once: true });
    let fault: unknown;
    // Nobody waits for this: the answer may come while there is still more to read.
    feed(sent, request, work).catch((error: unknown) => {
      fault = error;
      if (!(work.signal.aborted && operation.answersStopped === true)) sent.destroy();
    });
    try {
      return await receive(operation, await answerTo(sent), work);
    } catch (error) {
      work.signal.throwIfAborted();
      // Where the connection broke, both sides fail; what the input said comes first only where it broke by itself.
      if (fault !== undefined && !(fault instanceof BrokenFrames)) throw fault;
      throw isLost(error) ? cutOff(error) : error;
    } finally {
      work.signal.removeEventListener("abort", stop);
      sent.destroy();
    }
  }

  /** On a way of its own: the other one may be full of input that nobody takes. */
  #stop(token: string, sent: ClientRequest): void {
    const asked = ask({ socketPath: this.#socket, method: "POST", path: `/works/${token}/stop`, agent: false });
    asked.on("response", (answer) => answer.resume());
    asked.on("error", () => sent.destroy()); // nobody there to stop it: so it is over
    asked.end();
  }
}

/** One question, one answer, both JSON. With a body it is a POST. */
export async function askServer<T>(
  socketPath: string,
  { path, body, signal }: { readonly path: string; readonly body?: object; readonly signal: AbortSignal },
  shape: z.ZodType<T>,
): Promise<T> {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  try {
    const sent = ask({ socketPath, path, signal, agent: false, ...(body && post) });
    const answer = await answerTo(sent.end(body && JSON.stringify(body)));
    return parse(shape, JSON.parse(await textOf(answer)));
  } catch (error) {
    throw isLost(error) ? cutOff(error) : error;
  }
}

/** The request, and then what there is to read, as fast as the server takes it. */
async function feed(sent: ClientRequest, request: unknown, work: Work<never>): Promise<void> {
  await send(sent, valueFrame("request", request));
  for await (const bytes of work.input) {
    for (const frame of byteFrames(bytes)) await send(sent, frame);
  }
  if (sent.destroyed) return;
  await send(sent, valueFrame("end", null));
  sent.end();
}

async function receive<Item, Answer>(
  operation: Operation<unknown, Item, Answer>,
  answer: IncomingMessage,
  work: Work<Item>,
): Promise<Answer> {
  for await (const frame of readFrames(answer)) {
    if (frame.kind === "answer") return parse(operation.answer, valueIn(frame));
    if (frame.kind === "failed") throw new CommandError(parse(Failed, valueIn(frame)).message);
    await hand(operation, frame, work);
  }
  throw cutOff();
}

async function hand<Item>(operation: Operation<unknown, Item, unknown>, frame: Frame, work: Work<Item>): Promise<void> {
  if (frame.kind === "bytes") return work.output(frame.payload);
  if (frame.kind === "aside") return work.aside(frame.payload);
  if (frame.kind === "item") return work.item(parse(operation.item, valueIn(frame)));
  if (frame.kind === "progress") return work.progress(parse(Progress, valueIn(frame)));
  throw new BrokenFrames(`'${frame.kind}' is nothing that a server says`);
}

async function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  const [answer]: IncomingMessage[] = await once(sent, "response");
  sent.on("error", () => {}); // from here on the answer itself tells whether the connection holds
  if (answer?.statusCode === 200) return answer;
  if (answer === undefined) throw cutOff();
  const problem = Problem.safeParse(JSON.parse(await textOf(answer)));
  throw new CommandError(problem.data?.detail ?? `the server answered ${answer.statusCode}`);
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CommandError("the server is of another version than this command: stop it, and start it anew");
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** What the system says of a connection that broke; what a command itself can't do is something else. */
function isLost(error: unknown): boolean {
  return error instanceof BrokenFrames || (error instanceof Error && "code" in error);
}

function cutOff(cause?: unknown): CommandError {
  return new CommandError("the server has gone away: see 'choir status'", { cause });
}
