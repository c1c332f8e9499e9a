import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";

/** An error as `application/problem+json`: what happened, and what to do. */
export function sendProblem(reply: FastifyReply, status: number, title: string, detail: string): FastifyReply {
  const instance = `urn:request:${reply.request.id}`;
  return reply.code(status).type("application/problem+json").send({ detail, instance, status, title });
}

/** To what is no request, or one that doesn't come to its end: nobody can tell what was asked, or by what name. */
export function refuseRaw(socket: Socket, code: string | undefined): void {
  const [status, detail] = RAW[code ?? ""] ?? [400, "What came is no HTTP that this server could read."];
  const body = JSON.stringify({ detail, status, title: STATUS_CODES[status] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "connection: close",
    "cache-control: no-store",
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(body)}`,
    "x-content-type-options: nosniff",
  ];
  if (socket.writable && code !== "ECONNRESET") socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.destroySoon();
}

const RAW: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to come. Send it again."],
  HPE_HEADER_OVERFLOW: [431, "The request's head is too large. Send less in its address and headers."],
};

/** The same words for what isn't there and for what is somebody else's. */
export function sendMissing(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, 404, "Not found", "There is nothing here, or it isn't yours.");
}
