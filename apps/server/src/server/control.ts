import { PassThrough, Readable } from "node:stream";
import { type Envelope, UserId } from "@choiros/contract";
import type { Store } from "@choiros/log";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import {
  type EventMessage,
  EventQuery,
  type Head,
  parseHead,
  type Status,
  type VerifyMessage,
} from "../access/access.ts";
import { noComputer } from "../access/folder-access.ts";
import { readEvents } from "../access/read-events.ts";
import { verifyComputer } from "../access/verify-computer.ts";
import type { Computers } from "./computers.ts";
import { answerProblems, sendProblem } from "./problem.ts";

export interface ControlParts {
  readonly computers: Computers;
  status(): Promise<Status>;
  report(error: unknown): void;
  /** Aborts when the server stops: streams that follow end then. */
  readonly stopping: AbortSignal;
}

/** What the command line asks of a running server, on a socket that only the owner can reach. */
export function controlServer(parts: ControlParts): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 1024 });
  answerProblems(app, parts.report);

  app.get("/status", () => parts.status());

  app.get("/computers/:id/events", async (request, reply) => {
    const store = await storeOf(parts, request, reply);
    if (store === undefined) return reply;
    const query = EventQuery.safeParse(request.query);
    if (!query.success) return sendProblem(reply, 400, "Bad request", query.error.message);
    const events = readEvents(store.log, query.data, endOf(reply, parts));
    return sendLines(reply, Readable.from(eventLines(events)));
  });

  app.get("/computers/:id/verify", async (request: FastifyRequest<{ Querystring: { expect?: string } }>, reply) => {
    const id = idOf(request);
    if (id === undefined || !parts.computers.has(id)) return sendNoComputer(parts, reply, id);
    const { expect } = request.query;
    const head = expect === undefined ? undefined : parseHead(expect);
    if (expect !== undefined && head === undefined) return sendProblem(reply, 400, "Bad request", "expect is SEQ:HASH");
    return sendLines(reply, verifyLines(parts, id, head, endOf(reply, parts)));
  });

  return app;
}

/** The computer a request is about; where there is none, or it can't be opened, the answer is already on its way. */
async function storeOf(parts: ControlParts, request: FastifyRequest, reply: FastifyReply): Promise<Store | undefined> {
  const id = idOf(request);
  if (id === undefined || !parts.computers.has(id)) {
    sendNoComputer(parts, reply, id);
    return undefined;
  }
  const opened = await parts.computers.open(id, false);
  if (opened.ok) return opened.store;
  sendProblem(reply, 503, "Not available", opened.message);
  return undefined;
}

function idOf(request: FastifyRequest): UserId | undefined {
  return UserId.safeParse(Object(request.params).id).data;
}

function sendNoComputer(parts: ControlParts, reply: FastifyReply, id: UserId | undefined): FastifyReply {
  const detail = id === undefined ? "That is no id of a computer." : noComputer(parts.computers.home, id);
  return sendProblem(reply, 404, "Not found", detail);
}

/** Aborts when the one who asked has gone, or the server stops. */
function endOf(reply: FastifyReply, parts: ControlParts): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return AbortSignal.any([gone.signal, parts.stopping]);
}

function sendLines(reply: FastifyReply, lines: Readable): FastifyReply {
  return reply.type("application/x-ndjson").send(lines);
}

/** Once the first line is out, an error can only be told in another one. */
async function* eventLines(events: AsyncIterable<Envelope>): AsyncGenerator<string> {
  const line = (message: EventMessage) => `${JSON.stringify(message)}\n`;
  try {
    for await (const event of events) yield line({ event });
  } catch (error) {
    yield line({ failed: messageOf(error) });
  }
}

function verifyLines(parts: ControlParts, id: UserId, expect: Head | undefined, signal: AbortSignal): Readable {
  const lines = new PassThrough();
  const send = (message: VerifyMessage) => lines.write(`${JSON.stringify(message)}\n`);
  const dir = parts.computers.home.storeOf(id);
  const onProgress = (done: number, total: number) => send({ done, total });
  verifyComputer(dir, () => parts.computers.open(id, false), { expect, onProgress, signal })
    .then((result) => send({ result }))
    .catch((error: unknown) => send({ failed: messageOf(error) }))
    .finally(() => lines.end());
  return lines;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
