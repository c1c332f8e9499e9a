import { UserId } from "@choiros/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { Name } from "../accounts/name.ts";
import type { GuardParts } from "../guard.ts";
import { sendMissing, sendProblem } from "../problem.ts";
import { Account } from "./shapes.ts";

export interface RemovalParts {
  /** Ends their sessions, exports each of their computers and removes its folder, unless that failed; and says where to. */
  removeUser(user: UserId): Promise<RemovedUser>;
}

type RemovedUser =
  | { readonly ok: true; readonly exported: readonly string[]; readonly problems: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Who may come in, for the server's owner. */
export function userRoutes(app: FastifyInstance, parts: GuardParts & RemovalParts): void {
  const { accounts, sites } = parts;
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const config = { entrance: "owner" } as const;

  routes.get(
    "/api/users",
    { config, schema: { summary: "Who may come in", response: { 200: z.array(Account) } } },
    () => accounts.list(),
  );

  routes.post(
    "/api/users",
    { config, schema: { summary: "Let somebody in", body: NewUser, response: { 201: Account } } },
    async ({ body }, reply) => {
      const added = await accounts.add(body.name, body.role);
      if (!added.ok) return sendProblem(reply, 422, "It can't be done", added.message);
      return reply.code(201).send(added.account);
    },
  );

  routes.post(
    "/api/users/:user/link",
    { config, schema: { summary: "A link that signs them in, once", params: Params, response: { 200: Link } } },
    async ({ params }, reply) => {
      if ((await accounts.find(params.user)) === undefined) return sendMissing(reply);
      const { token, expires } = await accounts.link(params.user);
      return { expires: expires.toISOString(), link: `${sites().console}/#link=${token}` };
    },
  );

  routes.delete(
    "/api/users/:user",
    { config, schema: { summary: "Let them in no more", params: Params, response: { 200: Removed } } },
    async ({ params }, reply) => {
      if ((await accounts.find(params.user)) === undefined) return sendMissing(reply);
      const removed = await parts.removeUser(params.user);
      if (!removed.ok) return sendProblem(reply, 422, "It can't be done", removed.message);
      return { exported: [...removed.exported], problems: [...removed.problems] };
    },
  );
}

const Params = z.strictObject({ user: UserId });
const NewUser = z.strictObject({
  name: Name,
  role: z.enum(["owner", "member"]).default("member"),
});
const Link = z.strictObject({ expires: z.string(), link: z.string() });
/** The files of the server's machine that the computers went to, and why a folder is still there. */
const Removed = z.strictObject({ exported: z.array(z.string()), problems: z.array(z.string()) });
