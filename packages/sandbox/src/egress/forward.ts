import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { type ParsedTarget, parseTarget, type Target } from "./target.ts";
import type { Visit } from "./visit.ts";

const HTTP_PORT = 80;
const ABSOLUTE = /^http:\/\/([^/?#]*)([/?][^#]*)?$/i;

/** Headers that are about one connection, not about what it carries (RFC 9110 7.6.1), and those that are made anew. */
const HOP_BY_HOP = [
  "connection",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** A plain HTTP request, read by a strict parser and written anew. */
export async function forward(visit: Visit, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, authority, rest = "/"] = ABSOLUTE.exec(request.url ?? "") ?? [];
  if (authority === undefined) {
    visit.refuse(400, "this is a proxy, which takes 'http://host/…' and, for https, CONNECT");
    return;
  }
  const parsed = parseTarget(authority, HTTP_PORT);
  const socket = await visit.reach(parsed, parsed.ok ? faultOf(request, parsed.target) : undefined);
  if (socket === undefined || !parsed.ok) return;
  send(socket, request, response, { target: parsed.target, path: rest.startsWith("?") ? `/${rest}` : rest });
}

/** Where somebody further on might understand the request otherwise. */
function faultOf(request: IncomingMessage, target: Target): string | undefined {
  const hosts = request.headersDistinct.host ?? [];
  const [host, ...more] = hosts.map((text): ParsedTarget => parseTarget(text, HTTP_PORT));
  if (!host?.ok || more.length > 0 || host.target.host !== target.host || host.target.port !== target.port) {
    return "its Host header isn't the host it asks for";
  }
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return "its body is coded in a way that isn't 'chunked'";
  return undefined;
}

function send(
  socket: Socket,
  request: IncomingMessage,
  response: ServerResponse,
  { target, path }: { target: Target; path: string },
): void {
  const abort = () => socket.destroy();
  const host = target.port === HTTP_PORT ? target.host : `${target.host}:${target.port}`;
  const chunked = request.headers["transfer-encoding"] === undefined ? [] : ["Transfer-Encoding", "chunked"];
  const outgoing = httpRequest({
    createConnection: () => socket,
    method: request.method ?? "GET",
    path,
    headers: ["Host", host, ...headersOf(request), ...chunked, "Connection", "close"],
  });
  outgoing.on("error", abort);
  socket.once("close", () => {
    if (response.headersSent) return; // what has begun ends or breaks off by itself
    response.writeHead(502, "Bad Gateway", ["Connection", "close"]).end(`${host} broke off\n`);
  });
  outgoing.on("response", (incoming) => {
    if (!begin(response, incoming)) abort();
    else pipeline(incoming, response, abort);
  });
  pipeline(request, outgoing, (error) => {
    if (error) abort();
  });
}

/** Writes the head of the answer anew. Not every one that can be read can be written. */
function begin(response: ServerResponse, incoming: IncomingMessage): boolean {
  const { statusCode = 0, statusMessage } = incoming;
  try {
    response.writeHead(statusCode, statusMessage, [...headersOf(incoming), "Connection", "close"]);
    return true;
  } catch {
    return false;
  }
}

/** Those that go on, as they came: name, value, name, value. */
function headersOf(message: IncomingMessage): string[] {
  const named = (message.headers.connection ?? "").toLowerCase().split(",");
  // The length isn't anybody's to take away: without it the body would be read as the next request.
  const dropped = new Set([...HOP_BY_HOP, ...named.map((name) => name.trim())].filter((n) => n !== "content-length"));
  const kept: string[] = [];
  for (let i = 0; i + 1 < message.rawHeaders.length; i += 2) {
    const [name = "", value = ""] = message.rawHeaders.slice(i, i + 2);
    if (!dropped.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
