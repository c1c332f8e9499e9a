import { Id, Source, Target, UserId } from "@choiros/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import * as operations from "../operations/index.ts";
import { act, list } from "./web-work.ts";

export interface ComputerParts {
  /** Where operations find a computer that somebody has. */
  place(computer: UserId): operations.Place;
}

/** Everything the command line can ask of one computer, but for what names a path of the server's own machine. */
export function computerRoutes(app: FastifyInstance, parts: ComputerParts): void {
  readingRoutes(app, parts);
  actingRoutes(app, parts);
}

function readingRoutes(app: FastifyInstance, { place }: ComputerParts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const config = { entrance: "read" } as const;

  routes.get(
    `${ONE}/events`,
    { config, schema: { summary: "Events from any moment on", params: Params, querystring: Events } },
    (request, reply) => {
      const { ask, call, conversation, newest, task, ...query } = request.query;
      const cause = given({ ask, call, conversation, task });
      const causes = Object.keys(cause).length === 0 ? {} : { cause };
      const asked = { ...given(query), ...causes, follow: false, newest: newest === "true" };
      return list({ operation: operations.events, place: place(request.params.computer), request: asked }, reply);
    },
  );

  routes.get(
    `${ONE}/unfinished`,
    {
      config,
      schema: { summary: "What began and isn't over: commands that run, approvals that wait", params: Params },
    },
    (request, reply) =>
      list({ operation: operations.unfinished, place: place(request.params.computer), request: {} }, reply),
  );

  routes.get(
    `${ONE}/files`,
    { config, schema: { summary: "The tree at a moment", params: Params, querystring: Files } },
    (request, reply) => {
      const { deep, ...query } = request.query;
      const asked = { ...given(query), deep: deep === "true" };
      return list({ operation: operations.files, place: place(request.params.computer), request: asked }, reply);
    },
  );

  routes.get(
    `${ONE}/history`,
    {
      config,
      schema: {
        summary: "Every version of a path",
        params: Params,
        querystring: z.strictObject({ key: operations.AskedKey }),
      },
    },
    (request, reply) =>
      list({ operation: operations.history, place: place(request.params.computer), request: request.query }, reply),
  );

  routes.get(
    `${ONE}/histories`,
    { config, schema: { summary: "What stood at every path, and since when", params: Params } },
    (request, reply) =>
      list({ operation: operations.histories, place: place(request.params.computer), request: {} }, reply),
  );

  routes.get(
    `${ONE}/diff`,
    { config, schema: { summary: "What changed between two moments", params: Params, querystring: Diff } },
    (request, reply) => {
      const { lines, ...query } = request.query;
      const asked = { ...given(query), from: query.from, lines: lines === "true" };
      return list({ operation: operations.diff, place: place(request.params.computer), request: asked }, reply);
    },
  );

  routes.post(
    `${ONE}/preview`,
    { config: { entrance: "act" }, schema: { summary: "What an undo would do", params: Params, body: Preview } },
    (request, reply) =>
      list({ operation: operations.preview, place: place(request.params.computer), request: request.body }, reply),
  );
}

function actingRoutes(app: FastifyInstance, { place }: ComputerParts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const config = { entrance: "act" } as const;

  routes.post(
    `${ONE}/undo`,
    { config, schema: { summary: "Take something back, as a new event", params: Params, body: Undo } },
    (request, reply) =>
      act({ operation: operations.undo, place: place(request.params.computer), request: request.body }, reply),
  );

  routes.post(
    `${ONE}/remove`,
    {
      config,
      schema: {
        summary: "Remove a path, with all below it",
        params: Params,
        body: z.strictObject({ key: operations.AskedKey }),
      },
    },
    ({ params, body }, reply) =>
      act({ operation: operations.remove, place: place(params.computer), request: body }, reply),
  );

  routes.post(
    `${ONE}/restore`,
    {
      config,
      schema: {
        summary: "Bring a path back as it was",
        params: Params,
        body: z.strictObject({ at: Seq, key: operations.AskedKey }),
      },
    },
    (request, reply) =>
      act({ operation: operations.restore, place: place(request.params.computer), request: request.body }, reply),
  );
}

const ONE = "/api/computers/:computer";
const Params = z.strictObject({ computer: UserId });
const Seq = z.coerce.number().int().min(0);
const Words = z.string().max(1000);
const listed = (words: string) => words.split(",");
const Events = z.strictObject({
  ...{ ask: Id.optional(), call: Id.optional(), conversation: Id.optional(), task: Id.optional() },
  from: z.coerce.number().int().default(1),
  key: operations.AskedKey.optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
  newest: z.enum(["true", "false"]).default("false"),
  since: z.iso.datetime().optional(),
  source: Words.transform(listed).pipe(z.array(Source)).optional(),
  text: Words.optional(),
  to: Seq.optional(),
  type: Words.transform(listed).optional(),
  until: z.iso.datetime().optional(),
});
const Files = z
  .strictObject({
    at: Seq.optional(),
    deep: z.enum(["true", "false"]).default("true"),
    key: operations.AskedKey.optional(),
  })
  .refine(({ deep, key }) => deep === "true" || key !== undefined, "needs the key of the directory that is listed");
const Diff = z.strictObject({
  from: Seq,
  key: operations.AskedKey.optional(),
  lines: z.enum(["true", "false"]).default("false"),
  to: Seq.optional(),
});
const Choices = z.strictObject({
  all: z.enum(["mine", "theirs"]).exactOptional(),
  each: z.array(z.tuple([z.string().min(1).max(20_000), z.enum(["mine", "theirs"])])).default([]),
});
const Undo = z.strictObject({ choices: Choices.prefault({}), target: Target });
const Preview = Undo.extend({ lines: z.boolean().default(false) });

/** Without what isn't given, which is another thing than `undefined` to an operation. */
function given<Values extends Record<string, unknown>>(
  values: Values,
): { [Name in keyof Values]: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never; // what is left has a value
}
