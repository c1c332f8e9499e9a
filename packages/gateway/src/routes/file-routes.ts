import { finished, Readable } from "node:stream";
import type { Found } from "@choiros/computer";
import { Id, Sha256, UserId } from "@choiros/contract";
import { LogError } from "@choiros/log";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { incoming } from "../incoming.ts";
import type { Limits } from "../limits.ts";
import * as operations from "../operations/index.ts";
import { sendMissing, sendProblem } from "../problem.ts";
import type { ComputerParts } from "./computer-routes.ts";
import { fileHeaders, isNamed, type Span, spanOf } from "./file-headers.ts";
import { breakOff, streaming } from "./streaming.ts";
import { act } from "./web-work.ts";

/** The bytes of files, by key. They never sit in memory, on the way in or out. */
export async function fileRoutes(app: FastifyInstance, { place }: ComputerParts, limits: Limits): Promise<void> {
  await app.register(async (scope) => {
    streaming(scope);
    const routes = scope.withTypeProvider<ZodTypeProvider>();
    routes.route({
      method: ["GET", "HEAD"],
      url: URL,
      config: { entrance: "load" },
      schema: { summary: "A file's bytes, as they are or were", params: Params, querystring: Query },
      handler: async (request, reply) => {
        const { computer, "*": key } = request.params;
        const { at, download, maybe } = request.query;
        const home = place(computer);
        finished(reply.raw, home.use()); // it stays open as long as its bytes are on their way
        breakOff(reply);
        const found = await foundAt(home, key, at);
        if (found === undefined || found.entry.kind === "dir")
          return maybe === undefined ? sendMissing(reply) : reply.code(204).send();
        reply.headers(fileHeaders(key, found.entry, { site: request.asker.site, download: download !== undefined }));
        return sendFile(found, request, reply);
      },
    });

    routes.route({
      method: "PUT",
      url: URL,
      config: { entrance: "act", takesBytes: true },
      schema: { summary: "A file's new bytes", params: Params, querystring: PutQuery, headers: PutHeaders },
      handler: (request, reply) => {
        const { computer, "*": key } = request.params;
        const { "if-match": match, "if-none-match": none, "idempotency-key": id } = request.headers;
        const { "x-call": call, "x-mode": mode } = request.headers;
        const base = none === undefined ? match && { base: match } : { base: null };
        const maybe = request.query.maybe !== undefined;
        const beside = maybe ? { beside: false as const } : {};
        const asked = { key, ...base, ...beside, ...(call !== undefined && { call }), ...(mode !== undefined && { mode }) }; // biome-ignore format: in one line
        const run = { operation: operations.write, place: place(computer), request: asked, ...(maybe && { conflict: 200 }) }; // biome-ignore format: in one line
        return act({ ...run, ...(id !== undefined && { id }), input: incoming(request.raw, limits) }, reply);
      },
    });

    routes.route({
      method: "DELETE",
      url: URL,
      config: { entrance: "act" },
      schema: { summary: "Remove a file, or a directory with all in it", params: Params, headers: DeleteHeaders },
      handler: (request, reply) => {
        const { computer, "*": key } = request.params;
        const base = request.headers["if-match"];
        const asked = { key, ...(base !== undefined && { base }) };
        return act({ operation: operations.remove, place: place(computer), request: asked, conflict: 412 }, reply);
      },
    });
  });
}

const URL = "/api/computers/:computer/file/*";
const Params = z.strictObject({ computer: UserId, "*": operations.AskedKey });
const Flag = z.string().max(1).optional();
/** `maybe`: that there is none is an answer, and no failure, which browsers would tell of. */
const Query = z.strictObject({ at: z.coerce.number().int().min(0).optional(), download: Flag, maybe: Flag });
/** `maybe`: nothing is written beside, and that it would have to be is an answer, and no failure. */
const PutQuery = z.strictObject({ maybe: Flag });
const Tag = z
  .string()
  .regex(/^"[0-9a-f]{64}"$/, "must be the ETag of the one version that was read")
  .transform((tag) => Sha256.parse(tag.slice(1, -1)));
const DeleteHeaders = z.object({ "if-match": Tag.optional() });
const PutHeaders = z.object({
  "if-match": Tag.optional(),
  "if-none-match": z.literal("*").optional(),
  "idempotency-key": Id.optional(),
  "x-call": Id.optional(),
  "x-mode": z
    .string()
    .regex(/^0?[0-7]{3,4}$/, "must be a mode in octal digits")
    .transform((mode) => Number.parseInt(mode, 8))
    .optional(),
});

async function foundAt(at: operations.Place, key: string, seq: number | undefined): Promise<Found | undefined> {
  const computer = await operations.computerAt(at);
  if (seq !== undefined && seq > (await computer.log.head()).seq) return undefined;
  return computer.read(key, seq);
}

type FileEntry = Exclude<Found["entry"], { kind: "dir" }>;

async function sendFile(found: Found, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { hash, size } = found.entry as FileEntry; // a directory has no bytes, and isn't sent
  const { range, "if-none-match": tags, "if-range": condition } = request.headers;
  if (isNamed(hash, tags)) return reply.code(304).send();
  const span = spanOf(condition === undefined || condition === `"${hash}"` ? range : undefined, size);
  if (span === undefined) {
    reply.headers({ "content-range": `bytes */${size}`, "content-disposition": "inline" });
    return sendProblem(reply, 416, "Not so long", `The file has ${size} bytes.`);
  }
  const isPart = span.length < size;
  if (isPart) reply.header("content-range", `bytes ${span.from}-${span.from + span.length - 1}/${size}`);
  reply.code(isPart ? 206 : 200).header("content-length", span.length);
  return request.method === "HEAD" ? reply.send() : sendBytes(found, span, reply);
}

/** What is damaged or pruned shows with the first bytes at the earliest: only then is it said that there are some. */
async function sendBytes(found: Found, span: Span, reply: FastifyReply): Promise<FastifyReply> {
  const pieces = piecesOf(found, span);
  try {
    const first = await pieces.next();
    const bytes = first.done === true ? Buffer.of() : Buffer.from(first.value);
    if (bytes.length === span.length) return reply.send(bytes);
    return reply.send(Readable.from(startingWith(bytes, pieces), { objectMode: false }));
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== "damaged") throw error;
    for (const name of ["content-length", "content-range", "etag"]) reply.removeHeader(name);
    return sendProblem(reply, 410, "It can't be read any more", `${error.message}.`);
  }
}

async function* piecesOf(found: Found, { from, length }: Span): AsyncGenerator<Uint8Array, void> {
  let left = length;
  if (left === 0) return;
  for await (const bytes of found.bytes(from)) {
    yield bytes.subarray(0, left);
    left -= bytes.length;
    if (left <= 0) return;
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
