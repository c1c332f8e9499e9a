import type { FastifyInstance, FastifyReply } from "fastify";

/** An error as `application/problem+json`: what happened, and what to do. */
export function sendProblem(reply: FastifyReply, status: number, title: string, detail: string): FastifyReply {
  return reply.code(status).type("application/problem+json").send({ title, status, detail });
}

/** No route, and what a handler didn't expect. The cause stays in the server: it may name what isn't the caller's to know. */
export function answerProblems(app: FastifyInstance, report: (error: unknown) => void): void {
  app.setNotFoundHandler((request, reply) =>
    sendProblem(reply, 404, "Not found", `There is nothing at ${request.method} ${request.url.split("?")[0]}.`),
  );
  app.setErrorHandler((error: { statusCode?: number; message?: string }, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return sendProblem(reply, status, "Bad request", error.message ?? "The request can't be read.");
    report(error);
    return sendProblem(reply, 500, "Server error", "Something failed in the server. Its output says what.");
  });
}
