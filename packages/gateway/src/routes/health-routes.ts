import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";

const Health = z.strictObject({
  live: z.literal(true),
  log: z.strictObject({ engine: z.string(), problem: z.string().exactOptional() }),
  ready: z.boolean(),
  /** Commands run without a sandbox. */
  unsafe: z.boolean(),
  uptime_s: z.int(),
  version: z.string(),
});
export type Health = z.infer<typeof Health>;

export interface HealthParts {
  health(): Promise<Health>;
}

export function healthRoutes(app: FastifyInstance, parts: HealthParts): void {
  const schema = { summary: "Whether the server is well", response: { 200: Health, 503: Health } };
  app
    .withTypeProvider<ZodTypeProvider>()
    .get("/api/health", { config: { entrance: "anywhere" }, schema }, async (_request, reply) => {
      const health = await parts.health();
      return reply.code(health.ready ? 200 : 503).send(health);
    });
}
