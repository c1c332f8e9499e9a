import { readFile } from "node:fs/promises";
import Fastify, { type FastifyInstance } from "fastify";
import { answerProblems, sendProblem } from "./problem.ts";

export interface Health {
  readonly live: true;
  readonly ready: boolean;
  readonly version: string;
  readonly uptime_s: number;
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

const HOSTS = new Set(["localhost", "choir.localhost", "127.0.0.1", "[::1]"]);

/** What a browser on this machine sees. Nothing here tells anything of a computer: nobody has signed in. */
export async function webServer(parts: WebParts): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 1024 });
  answerProblems(app, parts.report);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(HEADERS);
    // A name that only leads here by somebody else's DNS would let their page read ours.
    if (HOSTS.has((request.headers.host ?? "").replace(/:\d+$/, ""))) return;
    return sendProblem(reply, 421, "Wrong host", "This server answers to localhost only.");
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
