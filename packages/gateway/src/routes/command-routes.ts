import { Id, Json, UserId } from "@choiros/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import * as operations from "../operations/index.ts";
import { overreachOf } from "../overreach.ts";
import { sendProblem } from "../problem.ts";
import type { ComputerParts } from "./computer-routes.ts";
import { act, failed, list, workOf } from "./web-work.ts";

/** Commands that run in a computer, approvals, its settings, and what looks after the computer itself. */
export function commandRoutes(app: FastifyInstance, { place }: ComputerParts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();

  routes.post(
    `${ONE}/exec`,
    {
      config: { entrance: "act" },
      schema: { summary: "Run a command; what it writes comes in base64", params: Params, body: Command },
    },
    ({ asker, params, body: { stdin, ...command } }, reply) => {
      const over = overreachOf(asker, command);
      if (over !== undefined) return sendProblem(reply, 403, "Not allowed", over);
      const run = { operation: operations.exec, place: place(params.computer) };
      const input = stdin === undefined ? {} : { input: once(Buffer.from(stdin, "base64")) };
      return list({ ...run, ...input, request: { ...command, reads: stdin !== undefined } }, reply);
    },
  );

  routes.post(
    `${ONE}/approvals/:approval`,
    {
      config: { entrance: "keep" },
      schema: { summary: "Answer an approval that waits", params: Approval, body: Answer },
    },
    ({ asker, params: { approval, computer }, body: { decision } }, reply) => {
      const over = overreachOf(asker, { decision });
      if (over !== undefined) return sendProblem(reply, 403, "Not allowed", over);
      return act({ operation: operations.answer, place: place(computer), request: { approval, decision } }, reply);
    },
  );

  routes.get(
    `${ONE}/settings`,
    {
      config: { entrance: "read" },
      schema: {
        summary: "Every setting, by its name",
        params: Params,
        querystring: Moment,
        response: { 200: Settings },
      },
    },
    async ({ params, query: { at } }, reply) => {
      try {
        return await operations.settings.run(place(params.computer), at === undefined ? {} : { at }, workOf(reply));
      } catch (error) {
        return failed(error, reply);
      }
    },
  );

  routes.patch(
    `${ONE}/settings`,
    {
      config: { entrance: "act" },
      schema: { summary: "Other values for some; null takes one away", params: Params, body: Settings },
    },
    ({ params, body }, reply) =>
      act({ operation: operations.changeSettings, place: place(params.computer), request: body }, reply),
  );

  routes.get(
    `${ONE}/verify`,
    {
      exposeHeadRoute: false,
      config: { entrance: "read" },
      schema: { summary: "Whether everything is whole", params: Params, querystring: Expect },
    },
    ({ params, query }, reply) => {
      const expect = operations.parseHead(query.expect ?? "");
      const request = expect === undefined ? {} : { expect };
      return list({ operation: operations.verify, place: place(params.computer), request }, reply);
    },
  );

  routes.post(
    `${ONE}/rebuild`,
    { config: { entrance: "keep" }, schema: { summary: "Make the state again from the log", params: Params } },
    ({ params }, reply) => list({ operation: operations.rebuild, place: place(params.computer), request: {} }, reply),
  );
}

const ONE = "/api/computers/:computer";
const Params = z.strictObject({ computer: UserId });
const Approval = z.strictObject({ approval: Id, computer: UserId });
const Answer = z.strictObject({ decision: operations.Decision });
const Moment = z.strictObject({ at: z.coerce.number().int().min(0).optional() });
const Settings = z.strictObject({ values: z.record(z.string().min(1).max(200), Json) });
const Word = operations.AskedWord.max(32_768);
const Expect = z.strictObject({
  expect: z
    .string()
    .refine((text) => operations.parseHead(text) !== undefined, "must be SEQ:HASH, as 'choir verify' prints it")
    .optional(),
});
const Command = z.strictObject({
  argv: z.array(Word).min(1).max(1000),
  cwd: operations.AskedFolder.default("workspace"),
  egress: z.union([z.enum(["none", "git+pkg"]), z.array(operations.AskedHost.max(300)).max(100)]).default("none"),
  env: z.record(operations.AskedVariable.max(200), Word).default({}),
  keep: z.boolean().default(false),
  limits: operations.AskedLimits.default({}),
  stdin: z.base64().max(60_000).optional(),
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
