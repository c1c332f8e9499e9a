import type { FastifyInstance, FastifyRequest } from "fastify";
import { Metrics } from "../metrics.ts";
import { sendMissing } from "../problem.ts";

/** Counts and logs each answer, and tells the counts to whoever runs the server. */
export function metricsRoutes(app: FastifyInstance, counts: Readonly<Record<string, () => number>>): void {
  const metrics = new Metrics(counts);
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    const answered = { method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime };
    metrics.answered(answered);
    request.log.info(
      {
        ...answered,
        ms: Math.round(answered.ms * 10) / 10,
        account: request.asker?.session?.account ?? request.asker?.desk?.account,
      },
      "answered",
    );
  });
  app.get(
    "/metrics",
    { config: { entrance: "anywhere" }, schema: { summary: "Counts, for Prometheus" } },
    async (request, reply) => {
      if (!isAtHome(request) && !isOwner(request)) return sendMissing(reply);
      return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
    },
  );
}

/** What proxies say of whom they pass on. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** From this very machine, by its own name, and not passed on by a proxy. */
function isAtHome({ asker, headers, ip }: FastifyRequest): boolean {
  const isLoopback = ip === "::1" || /^(?:::ffff:)?127\./.test(ip);
  return asker.site.is === "door" && isLoopback && !FORWARDED.some((name) => headers[name] !== undefined);
}

function isOwner({ asker: { session, token } }: FastifyRequest): boolean {
  return token && session?.owner === true;
}
