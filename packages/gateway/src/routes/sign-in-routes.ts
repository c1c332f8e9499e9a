import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Entrance } from "../entrance.ts";
import type { GuardParts } from "../guard.ts";
import { sendProblem } from "../problem.ts";

/** Coming in and going out, on the console's site. What better-auth answers becomes what every other route would. */
export function signInRoutes(app: FastifyInstance, { accounts, sites }: GuardParts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();

  routes.post(
    "/api/link",
    {
      config: { entrance: "visitor" },
      schema: {
        summary: "Whose link this is; it isn't spent by asking",
        body: z.strictObject({ token: z.string().max(200) }),
        response: { 200: z.strictObject({ name: z.string() }) },
      },
    },
    async ({ body }, reply) => {
      const account = await accounts.linkOf(body.token);
      if (account !== undefined) return { name: account.name };
      return sendProblem(
        reply,
        404,
        "This link is over",
        "This link was used, or is older than 10 minutes. Get a new one with: npx choir user link",
      );
    },
  );

  for (const { url, entrance, schema } of WAYS) app.post(url, { config: { entrance }, schema }, pass);

  async function pass(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    );
    const url = `${sites().console}${request.routeOptions.url}`; // not as it was spelled: it is the route that was judged
    const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
    return passOn(await accounts.handle(new Request(url, { method: "POST", headers, ...body }), request.ip), reply);
  }
}

/** What of better-auth there is. A session's cookie alone changes nothing of its account: that is for the console's page. */
const WAYS: readonly { url: string; entrance: Entrance; schema: FastifySchema }[] = [
  {
    url: "/api/auth/link",
    entrance: "visitor",
    schema: { summary: "Sign in by a link's token, once", body: z.strictObject({ token: z.string().max(100) }) },
  },
  {
    url: "/api/auth/sign-in/username",
    entrance: "visitor",
    schema: {
      summary: "Sign in by name and password",
      body: z.strictObject({ username: z.string().max(200), password: z.string().max(1000) }),
    },
  },
  {
    url: "/api/auth/password",
    entrance: "console",
    schema: {
      summary: "Another password; all other sessions end",
      body: z.strictObject({ password: z.string().max(1000), current: z.string().max(1000).optional() }),
    },
  },
  { url: "/api/auth/sign-out", entrance: "console", schema: { summary: "Sign out here" } },
];

async function passOn(answer: Response, reply: FastifyReply): Promise<FastifyReply> {
  for (const cookie of answer.headers.getSetCookie()) reply.header("set-cookie", cookie);
  const wait = answer.headers.get("x-retry-after");
  if (wait !== null) reply.header("retry-after", wait);
  const location = answer.headers.get("location");
  if (location !== null) reply.header("location", location);
  if (answer.status >= 400) {
    const said: { message?: string } = await answer.json().catch(() => ({}));
    return sendProblem(reply, answer.status, TITLES[answer.status] ?? "Not done", sentenceOf(said.message, wait));
  }
  reply.code(answer.status);
  const type = answer.headers.get("content-type");
  if (type !== null) reply.type(type);
  return reply.send(answer.body === null ? null : Readable.fromWeb(answer.body as never));
}

/** For whoever stands at the door; in the words that stand there. */
function sentenceOf(message: string | undefined, wait: string | null): string {
  if (wait !== null) return `That was too often. Try again in ${wait === "1" ? "a second" : `${wait} seconds`}.`;
  if (message === "Invalid username or password") return "The name or the password is wrong.";
  return message ?? "Try again.";
}

const TITLES: Readonly<Record<number, string>> = {
  401: "Not signed in",
  404: "Not found",
  405: "Not possible here",
  429: "Too often",
};
