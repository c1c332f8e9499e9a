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
    const store = await storeOf(parts, request, reply);
    if (store === undefined) return reply;
    const { expect } = request.query;
    const head = expect === undefined ? undefined : parseHead(expect);
    if (expect !== undefined && head === undefined) return sendProblem(reply, 400, "Bad request", "expect is SEQ:HASH");
    return sendLines(reply, verifyLines(parts, store, head, endOf(reply, parts)));
  });

  return app;
}

/** The computer a request is about; where there is none, or it can't be opened, the answer is already on its way. */
async function storeOf(parts: ControlParts, request: FastifyRequest, reply: FastifyReply): Promise<Store | undefined> {
  const id = UserId.safeParse(Object(request.params).id);
  const opened = id.success ? await parts.computers.get(id.data) : undefined;
  if (opened?.ok) return opened.store;
  if (opened === undefined) {
    sendProblem(reply, 404, "Not found", noComputer(parts.computers.home, id.data ?? "?"));
  } else {
    sendProblem(reply, 503, "Not available", opened.message);
  }
  return undefined;
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

function verifyLines(parts: ControlParts, store: Store, expect: Head | undefined, signal: AbortSignal): Readable {
  const lines = new PassThrough();
  const send = (message: VerifyMessage) => lines.write(`${JSON.stringify(message)}\n`);
  const dir = parts.computers.home.storeOf(store.log.userId);
  const onProgress = (done: number, total: number) => send({ done, total });
  verifyComputer(dir, async () => store, { expect, onProgress, signal })
    .then((result) => send({ result }))
    .catch((error: unknown) => send({ failed: messageOf(error) }))
    .finally(() => lines.end());
  return lines;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
