import { UserId } from "@choiros/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { Name } from "../accounts/name.ts";
import { DESK_COOKIE } from "../asker.ts";
import type { GuardParts } from "../guard.ts";
import { sendMissing } from "../problem.ts";
import { Computer, DeskToken, Me, SessionLine } from "./shapes.ts";

/** Who is signed in, from where, and with which computers; and the ways from the console to a desk. */
export function accountRoutes(app: FastifyInstance, { accounts, consoleTokens, deskTokens, sites }: GuardParts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();

  routes.route({
    method: "GET",
    url: "/api/me",
    config: { entrance: "visitor" }, // at the door the console asks, too: that nobody is signed in is no failure
    schema: { summary: "Who is signed in, if anybody, and the console's token", response: { 200: Me, 204: z.null() } },
    handler: async ({ asker, headers }, reply) => {
      if (asker.session === undefined) return reply.code(204).send(null);
      const { id, account } = asker.session;
      for (const cookie of await accounts.prolong(headers.cookie ?? "")) reply.header("set-cookie", cookie);
      const found = await accounts.find(account);
      if (found === undefined) throw new Error(`${account} is signed in, and is no account`);
      const computers = await accounts.computers(account);
      const desks = computers.map((one) => ({ ...one, desk: sites().desk(one.id, asker.site) }));
      return { account: found, computers: desks, session: id, token: consoleTokens.of(id) };
    },
  });

  routes.route({
    method: "GET",
    url: "/api/sessions",
    config: { entrance: "session" },
    schema: { summary: "Where you are signed in", response: { 200: z.array(SessionLine) } },
    handler: async ({ asker }) => {
      const { id, account } = asker.session ?? NOBODY;
      return (await accounts.sessions(account)).map((line) => ({ ...line, current: line.id === id }));
    },
  });

  routes.route({
    method: "DELETE",
    url: "/api/sessions/:session",
    config: { entrance: "console" },
    schema: {
      summary: "Sign out there",
      params: z.strictObject({ session: z.string().max(100) }),
      response: { 204: z.null() },
    },
    handler: async ({ asker, params }, reply) => {
      const mine = await accounts.sessions(asker.session?.account ?? "");
      if (!mine.some(({ id }) => id === params.session)) return sendMissing(reply);
      await accounts.revoke(params.session);
      return reply.code(204).send(null);
    },
  });

  routes.route({
    method: "DELETE",
    url: "/api/sessions",
    config: { entrance: "console" },
    schema: { summary: "Sign out everywhere", response: { 204: z.null() } },
    handler: async ({ asker }, reply) => {
      await accounts.revokeAll(asker.session?.account ?? "");
      return reply.code(204).send(null);
    },
  });

  routes.route({
    method: "POST",
    url: "/api/computers",
    config: { entrance: "console" },
    schema: { summary: "A new computer", body: z.strictObject({ name: Name }), response: { 201: Computer } },
    handler: async ({ asker, body }, reply) => {
      const made = await accounts.addComputer(asker.session?.account ?? "", body.name);
      return reply.code(201).send({ ...made, desk: sites().desk(made.id, asker.site) });
    },
  });

  routes.route({
    method: "PATCH",
    url: "/api/computers/:computer",
    config: { entrance: "keep" },
    schema: {
      summary: "Another name for it",
      params: Params,
      body: z.strictObject({ name: Name }),
      response: { 204: z.null() },
    },
    handler: async ({ params, body }, reply) => {
      const found = await accounts.renameComputer(params.computer, body.name);
      return found ? reply.code(204).send(null) : sendMissing(reply);
    },
  });

  routes.route({
    method: "POST",
    url: "/api/computers/:computer/desk-token",
    config: { entrance: "keep" },
    schema: { summary: "What the console hands to the desk's page", params: Params, response: { 200: DeskToken } },
    handler: async ({ asker, params }) => {
      const { id, account } = asker.session ?? NOBODY;
      const { token, expires } = deskTokens.give({ computer: params.computer, account, session: id });
      return { token, expires: expires.toISOString() };
    },
  });

  routes.route({
    method: "POST",
    url: "/api/computers/:computer/desk-cookie",
    config: { entrance: "act" },
    schema: {
      summary: "For what a browser loads by itself on the desk's site",
      params: Params,
      response: { 204: z.null() },
    },
    handler: async ({ asker, headers }, reply) => {
      if (asker.desk === undefined) return sendMissing(reply); // a session needs none
      const [, token] = (headers.authorization ?? "").split(" ");
      reply.header("set-cookie", `${DESK_COOKIE}=${token}; Path=/; Secure; HttpOnly; SameSite=None; Partitioned`);
      return reply.code(204).send(null);
    },
  });
}

const Params = z.strictObject({ computer: UserId });
/** The guard lets nobody pass without a session where one is asked for. */
const NOBODY = { id: "", account: "" };
