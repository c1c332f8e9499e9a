import { FromClient, FromServer, Hello } from "@choiros/contract/wire";
import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { z } from "zod";
import { cookieName } from "../accounts/cookie.ts";
import { DESK_COOKIE, TOKEN_HEADER } from "../asker.ts";
import type { Entrance } from "../entrance.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Its body is bytes of any kind, which are read as they come. */
    takesBytes?: true;
  }
}

/** The document of all routes that are registered after this, made from their schemas. */
export async function openapiRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "ChoirOS", version: "1", description: "Everything that can be asked of a server." },
      components: COMPONENTS,
    },
    transform(given) {
      const { entrance = "anyone", takesBytes } = given.route.config ?? {};
      const hide = given.schema?.hide === true && entrance !== "live"; // sockets are hidden by who serves them
      const { schema, url } = jsonSchemaTransform({ ...given, schema: { ...given.schema, hide } });
      const body = takesBytes && { body: { content: { "application/octet-stream": { schema: {} } } } };
      const response = { ...ANY, ...(schema.response ?? {}), ...PROBLEM };
      return { url, schema: { ...schema, ...body, response, security: SECURITY[entrance] } };
    },
  });
  app.get("/api/openapi.json", { config: { entrance: "session" }, schema: { hide: true } }, () => app.swagger());
}

/** Lists are lines of JSON, files are bytes, and the outcome of an action is an object: each says so by its type. */
const ANY = { "2XX": { description: "What was asked for" } };
const PROBLEM = {
  default: {
    description: "What is wrong, and what to do",
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  },
};

const PAGE = { console: [], session: [] };
const SECURITY: Readonly<Record<Entrance, Record<string, string[]>[]>> = {
  anywhere: [],
  anyone: [],
  visitor: [],
  session: [{ session: [] }],
  console: [PAGE],
  owner: [PAGE],
  live: [{ session: [] }, {}],
  read: [{ session: [] }, { desk: [] }],
  load: [{ session: [] }, { desk: [] }, { deskCookie: [] }],
  act: [PAGE, { desk: [] }],
  keep: [PAGE],
};

const Problem = z.object({
  detail: z.string(),
  instance: z.string().optional(),
  status: z.int(),
  title: z.string(),
});
const COMPONENTS = {
  schemas: {
    Problem: schemaOf(Problem),
    SocketFromClient: schemaOf(FromClient),
    SocketFromServer: schemaOf(FromServer),
    SocketHello: schemaOf(Hello),
  },
  securitySchemes: {
    console: { type: "apiKey", in: "header", name: TOKEN_HEADER },
    desk: { type: "http", scheme: "bearer" },
    deskCookie: { type: "apiKey", in: "cookie", name: DESK_COOKIE },
    session: {
      type: "apiKey",
      in: "cookie",
      name: cookieName("http:"),
      description: `On https its name is ${cookieName("https:")}; where the address has a port, "-" and that follow.`,
    },
  },
} as const;

function schemaOf(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as object; // OpenAPI 3.1 has JSON Schema's own
}
