import { readFile } from "node:fs/promises";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { answerProblems, sendProblem } from "./problem.ts";

export interface Health {
  readonly live: true;
  readonly ready: boolean;
  readonly version: string;
  readonly uptime_s: number;
  /** Commands run without a sandbox. */
  readonly unsafe: boolean;
  readonly log: { readonly engine: string; readonly problem?: string };
}

export interface WebParts {
  health(): Promise<Health>;
  report(error: unknown): void;
}

const PAGE = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/page.css": ["page.css", "text/css; charset=utf-8"],
  "/page.js": ["page.js", "text/javascript; charset=utf-8"],
  "/mark.svg": ["mark.svg", "image/svg+xml"],
} as const;

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** A request must be there within seconds, and is never large. */
const LIMITS = { forceCloseConnections: true, bodyLimit: 1024, requestTimeout: 10_000 };

const HOSTS = new Set(["localhost", "choir.localhost", "127.0.0.1", "[::1]"]);

/** What a browser on this machine sees. Nothing here tells anything of a computer: nobody has signed in. */
export async function webServer(parts: WebParts): Promise<FastifyInstance> {
  const app = Fastify({ ...LIMITS, frameworkErrors: (_error, request, reply) => void refuse(request, reply) });
  answerProblems(app, parts.report);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(HEADERS);
    if (!isForUs(request)) return sendProblem(reply, 421, "Wrong host", "This server answers to localhost only.");
  });
  for (const [path, [file, type]] of Object.entries(PAGE)) {
    const bytes = await readFile(new URL(`../../page/${file}`, import.meta.url));
    app.get(path, (_request, reply) => reply.type(type).send(bytes));
  }
  app.get("/api/health", async (_request, reply) => {
    const health = await parts.health();
    return reply.code(health.ready ? 200 : 503).send(health);
  });
  return app;
}

/** A name that only leads here by somebody else's DNS would let their page read ours. */
function isForUs(request: FastifyRequest): boolean {
  const host = (request.headers.host ?? "").toLowerCase().replace(/:\d{1,5}$/, "");
  return HOSTS.has(host.replace(/\.$/, ""));
}

/** What can't even be taken for a request to a route: no hook has seen it. */
function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(HEADERS);
  if (!isForUs(request)) return sendProblem(reply, 421, "Wrong host", "This server answers to localhost only.");
  return sendProblem(reply, 400, "Bad request", "The address can't be read.");
}
