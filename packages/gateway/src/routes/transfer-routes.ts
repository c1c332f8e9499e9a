import { createWriteStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { UserId } from "@choiros/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { OwnedComputer } from "../accounts/accounts.ts";
import { Name } from "../accounts/name.ts";
import type { GuardParts } from "../guard.ts";
import { incoming } from "../incoming.ts";
import type { Limits } from "../limits.ts";
import * as operations from "../operations/index.ts";
import type { ComputerParts } from "./computer-routes.ts";
import { Computer } from "./shapes.ts";
import { breakOff, streaming } from "./streaming.ts";
import { failed, workOf } from "./web-work.ts";

export interface TransferParts {
  /** A folder of the server's own: what goes out or comes in as a whole lies there meanwhile. */
  readonly scratch: string;
}

type Parts = GuardParts & ComputerParts & TransferParts;

/** A whole computer in one file, out and in. Both are the console's: a desk's code must not carry a computer away. */
export async function transferRoutes(app: FastifyInstance, parts: Parts, limits: Limits): Promise<void> {
  const { accounts, place, scratch, sites } = parts;
  await app.register(async (scope) => {
    streaming(scope);
    const routes = scope.withTypeProvider<ZodTypeProvider>();
    routes.route({
      method: "GET",
      url: "/api/computers/:computer/export",
      exposeHeadRoute: false, // it would make all of the file, and send none of it
      config: { entrance: "keep" },
      schema: { summary: "Everything in one file", params: z.strictObject({ computer: UserId }) },
      handler: async ({ params }, reply) => {
        try {
          const { done, file } = await inFolder(scratch, async (folder) => {
            const path = join(folder, "export");
            const exported = await operations.exporting.run(place(params.computer), { file: path }, workOf(reply));
            return { done: exported, file: await open(path) }; // what is open stays readable
          });
          reply.headers({
            "content-disposition": `attachment; filename="${params.computer}.choir"`,
            "content-length": (await file.stat()).size,
            "content-type": "application/octet-stream",
            "x-head": `${done.seq}:${done.hash}`,
            "x-missing": done.missing.count,
          });
          breakOff(reply);
          return reply.send(file.createReadStream());
        } catch (error) {
          return failed(error, reply);
        }
      },
    });

    routes.route({
      method: "POST",
      url: "/api/computers/import",
      config: { entrance: "console", takesBytes: true },
      schema: {
        summary: "A new computer, out of an exported file",
        querystring: z.strictObject({ name: Name }),
        response: { 201: Imported },
      },
      handler: async ({ asker, query, raw }, reply) => {
        const work = workOf<never>(reply, incoming(raw, limits));
        try {
          const { made, done } = await inFolder(scratch, async (folder) => {
            const file = join(folder, "upload");
            await pipeline(operations.whole(work), createWriteStream(file, { mode: 0o600 }));
            return importInto(await accounts.addComputer(asker.session?.account ?? "", query.name), file, work);
          });
          const computer = { ...made, desk: sites().desk(made.id) };
          return reply.code(201).send({ computer, notes: done.notes, seq: done.seq });
        } catch (error) {
          return failed(error, reply);
        }
      },
    });
  });

  async function importInto(made: OwnedComputer, file: string, work: operations.Work<never>) {
    try {
      return { made, done: await operations.importing.run(place(made.id), { file }, work) };
    } catch (error) {
      await accounts.dropComputer(made.id);
      throw error;
    }
  }
}

const Imported = z.strictObject({ computer: Computer, notes: z.array(z.string()), seq: z.int() });

/** A folder for the meantime, for this process alone. Who asks from afar isn't told where it was. */
async function inFolder<T>(scratch: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(scratch, "transfer-"));
  try {
    return await work(folder);
  } catch (error) {
    if (!(error instanceof operations.OperationError)) throw error;
    throw new operations.OperationError(error.message.replaceAll(`${folder}/`, "the "));
  } finally {
    await rm(folder, { recursive: true });
  }
}
