import type { FastifyInstance, FastifyReply } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { sendProblem } from "../problem.ts";
import { Chosen, Models, NewProvider, Policy, Role, type Said, type Steward, Tested } from "../steward.ts";

export interface StewardParts {
  readonly steward: Steward;
}

/** The models of the server, and the rules for what they do: its owner's, from the console alone. */
export function stewardRoutes(app: FastifyInstance, { steward }: StewardParts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const config = { entrance: "owner" } as const;

  routes.get("/api/models", { config, schema: { summary: "Which models work here", response: { 200: Models } } }, () =>
    steward.models(),
  );

  routes.post(
    "/api/models/providers",
    { config, schema: { summary: "Connect a provider", body: NewProvider, response: { 200: Models } } },
    async ({ body }, reply) => modelsAfter(await steward.connect(body), reply),
  );

  routes.delete(
    "/api/models/providers/:provider",
    { config, schema: { summary: "Disconnect it, and forget its key", params: Provider, response: { 200: Models } } },
    async ({ params }, reply) => modelsAfter(await steward.disconnect(params.provider), reply),
  );

  routes.post(
    "/api/models/roles/:role",
    {
      config,
      schema: { summary: "Which model does this work", params: OfRole, body: Chosen, response: { 200: Models } },
    },
    async ({ body, params }, reply) => modelsAfter(await steward.choose(params.role, body), reply),
  );

  routes.post(
    "/api/models/test",
    { config, schema: { summary: "Whether a model answers", body: Chosen, response: { 200: Tested } } },
    ({ body }) => steward.test(body),
  );

  routes.get("/api/policy", { config, schema: { summary: "What agents may do", response: { 200: Policy } } }, () =>
    steward.policy(),
  );

  routes.post(
    "/api/policy",
    { config, schema: { summary: "Change what agents may do", body: NewPolicy, response: { 200: Policy } } },
    async ({ body }, reply) => {
      const said = await steward.setPolicy(body.text, body.was);
      if (said.ok) return said.policy; // whatever is written after it
      return "stale" in said ? sendStale(reply, said.message) : refuse(said, reply);
    },
  );

  async function modelsAfter(said: Said, reply: FastifyReply): Promise<Models> {
    return said.ok ? steward.models() : refuse(said, reply);
  }
}

/** What is sent stands for itself. */
function refuse({ message }: { readonly message: string }, reply: FastifyReply): never {
  return sendProblem(reply, 422, "It can't be done", message) as never;
}

/** Whoever wrote it didn't know what would be lost. */
function sendStale(reply: FastifyReply, message: string): never {
  return sendProblem(reply, 409, "It was changed meanwhile", message) as never;
}

const Provider = z.strictObject({ provider: z.string().max(40) });
const OfRole = z.strictObject({ role: Role });
/** `was`: the version of the text that it is to stand in the place of. */
const NewPolicy = z.strictObject({ text: z.string().max(60_000), was: z.string().max(100) });
