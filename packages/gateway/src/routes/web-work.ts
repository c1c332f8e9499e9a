import type { ServerResponse } from "node:http";
import type { Id } from "@choiros/contract";
import type { FastifyReply } from "fastify";
import { FULL, isFull } from "../full-disk.ts";
import { TooLargeError } from "../incoming.ts";
import { NOTHING } from "../live/works.ts";
import { type Operation, OperationError, type Place, type Work } from "../operations/index.ts";
import { sendProblem } from "../problem.ts";

/** So much of what an action says of single paths is answered; it may be a hundred thousand, and the log has them all. */
const MOST_SAID = 1000;
const MOST_WAITING = 16_384;
const NDJSON = "application/x-ndjson";

interface Run<Request, Item, Answer> {
  readonly operation: Operation<Request, Item, Answer>;
  readonly place: Place;
  readonly request: Request;
  readonly input?: AsyncIterable<Uint8Array>;
  /** The same one again does nothing twice. */
  readonly id?: Id;
  /** What a conflict is answered with; 409 unless told. */
  readonly conflict?: number;
}

/** An operation that lists something: a line of JSON for each item, and the answer, or what went wrong, in the last one. */
export async function list<Request, Item, Answer>(
  run: Run<Request, Item, Answer>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation, place } = run;
  const { raw } = reply;
  const begin = () => {
    if (raw.headersSent) return;
    reply.hijack();
    raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), "content-type": NDJSON });
  };
  let waiting = "";
  const flush = () => {
    if (waiting !== "") raw.write(waiting);
    waiting = "";
  };
  /** Lines that are made in one turn go out together: each alone costs more than what is in it. */
  const line = async (value: unknown) => {
    begin();
    if (waiting === "") process.nextTick(flush);
    waiting += `${JSON.stringify(value)}\n`;
    if (waiting.length > MOST_WAITING) flush();
    if (raw.writableNeedDrain && !raw.destroyed) await room(raw);
  };
  const work: Work<Item> = {
    ...workOf<Item>(reply, run.input),
    item: (item) => line({ item }),
    output: (bytes) => line({ output: Buffer.from(bytes).toString("base64") }),
    aside: (bytes) => line({ aside: Buffer.from(bytes).toString("base64") }),
  };
  try {
    const answer = await operation.run(place, run.request, work);
    await line({ answer });
  } catch (error) {
    if (!raw.headersSent) return failed(error, reply);
    if (!raw.destroyed) await line({ problem: { detail: messageOf(error, reply), title: "It broke off" } });
  }
  flush();
  raw.end();
  return reply;
}

/** An operation that does something: one object with its answer, and what it says of single paths. */
export async function act<Request, Item, Answer extends { readonly ok: boolean }>(
  run: Run<Request, Item, Answer>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const said: Item[] = [];
  let more = 0;
  const item = async (one: Item) => {
    if (said.length < MOST_SAID) said.push(one);
    else more++;
  };
  try {
    const named = run.id === undefined ? {} : { id: run.id };
    const work = { ...workOf<Item>(reply, run.input), ...named, item };
    const answer = await run.operation.run(run.place, run.request, work);
    return reply.code(statusOf(answer, run.conflict)).send({ ...answer, said, more });
  } catch (error) {
    return failed(error, reply);
  }
}

/** Work that ends when whoever asked goes away or is signed out, and tells nothing on the way. */
export function workOf<Item>({ request }: FastifyReply, input: AsyncIterable<Uint8Array> = NOTHING): Work<Item> {
  const ignore = async () => {};
  return { input, item: ignore, output: ignore, aside: ignore, progress: () => {}, signal: request.over };
}

function room(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ["drain", "close"]) raw.off(event, done);
      resolve();
    };
    for (const event of ["drain", "close"]) raw.on(event, done);
  });
}

function statusOf(answer: { readonly ok: boolean; readonly reason?: unknown }, conflict = 409): number {
  if (answer.ok) return 200;
  return answer.reason === "conflict" ? conflict : answer.reason === "missing" ? 404 : 422;
}

/** What was foreseen is told. */
export function failed(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof TooLargeError) return sendProblem(reply, 413, "Too large", `${error.message}.`);
  if (error instanceof OperationError) return sendProblem(reply, 422, "It can't be done", error.message);
  if (isFull(error)) return sendProblem(reply, 507, "The disk is full", FULL);
  throw error;
}

/** What wasn't foreseen may name what isn't the caller's to know: it goes to whoever runs the server. */
function messageOf(error: unknown, reply: FastifyReply): string {
  if (error instanceof OperationError) return error.message;
  if (isFull(error)) return FULL;
  reply.server.reportError(error);
  return "Something failed in the server. Its output says what.";
}
