import { UserId } from "@choiros/contract";
import { OPERATIONS } from "@choiros/gateway/operations";
import Fastify, { type FastifyInstance } from "fastify";
import type { Status } from "../access/access.ts";
import { absence } from "../access/folder-access.ts";
import { FRAMES_TYPE } from "../access/frames.ts";
import { WORK_HEADER } from "../access/socket-access.ts";
import type { Users } from "../users/users.ts";
import type { Computers } from "./computers.ts";
import { answerProblems, sendProblem } from "./problem.ts";
import { serveOperation } from "./serve-operation.ts";
import { userRoutes } from "./user-routes.ts";

export interface ControlParts {
  readonly users: Users;
  readonly computers: Computers;
  status(): Promise<Status>;
  report(error: unknown): void;
  /** Aborts when the server stops: what is under way ends then. */
  readonly stopping: AbortSignal;
}

/** What the command line asks of a running server, on a socket that only the owner can reach. */
export function controlServer(parts: ControlParts): FastifyInstance {
  const works = new Map<string, AbortController>();
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 1024 });
  answerProblems(app, parts.report);
  app.addContentTypeParser(FRAMES_TYPE, (_request, _body, done) => done(null)); // read frame by frame, further below

  app.get("/status", () => parts.status());
  userRoutes(app, parts.users);

  app.post<{ Params: { id: string; operation: string } }>("/computers/:id/:operation", async (request, reply) => {
    const operation = OPERATIONS.get(request.params.operation);
    const id = UserId.safeParse(request.params.id).data;
    if (operation === undefined) return sendProblem(reply, 404, "Not found", "There is no such operation.");
    if (id === undefined) return sendProblem(reply, 404, "Not found", "That is no id of a computer.");
    const missing = absence(parts.computers.home, id, operation.makes);
    if (missing !== undefined) return sendProblem(reply, 404, "Not found", missing);
    reply.hijack();
    const stop = new AbortController();
    const name = String(request.headers[WORK_HEADER]);
    works.set(name, stop);
    const { raw } = request;
    const wire = { request: raw, response: reply.raw, stopping: parts.stopping, stopped: stop.signal };
    await serveOperation(operation, parts.computers.place(id), wire);
    works.delete(name);
  });

  app.post<{ Params: { name: string } }>("/works/:name/stop", async (request, reply) => {
    works.get(request.params.name)?.abort(); // what is over needs no stopping
    return reply.code(204).send();
  });

  return app;
}
