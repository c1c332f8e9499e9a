import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Connection, connectModel, type Model, type Timing } from "@choiros/agent";
import { anthropicWire } from "./anthropic-wire.ts";
import { bedrockWire } from "./bedrock-wire.ts";
import { openaiWire } from "./openai-wire.ts";
import { type Received, received, type Wire } from "./received.ts";
import { isFailure, played, type Turn } from "./script.ts";
import type { Frame, WireFormat } from "./wire-format.ts";

export interface ScriptedModel {
  readonly url: string;
  /** Each request that came in, in order. */
  readonly requests: readonly Received[];
  /** Adds turns to what is still to be played: one a request, in the order in which requests come in. */
  play(turns: readonly Turn[]): void;
  /** What is played where no turn is left. Without it, such a request is refused. */
  always(turn: Turn): void;
  /** Resolves once so many requests have come in. */
  received(count: number): Promise<void>;
  /** What a process of its own needs to connect. */
  connection(wire: Wire): Connection;
  /** A model through the real client; it doesn't wait long before it tries again. */
  model(wire: Wire, options?: { readonly name?: string; readonly timing?: Partial<Timing> }): Model;
  close(): Promise<void>;
}

/** The only key that it lets in. */
const SCRIPTED_KEY = "sk-scripted-0123456789-wxyz";

/** A server on this machine that speaks providers' own streaming formats from a script. */
export async function scriptedModel(): Promise<ScriptedModel> {
  const requests: Received[] = [];
  const turns: Turn[] = [];
  let usual: Turn = { status: 400, message: "The script is over." };
  const waiting: { count: number; resolve: () => void }[] = [];

  const server = createServer((request, response) => {
    if (request.method === "GET") return listed(request, response);
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400);
      response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: String(error) } }));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const wire = wireOf(path);
    const text = await textOf(request);
    const call = received(wire, path, request.headers, text);
    requests.push(call);
    const turn = turns.shift() ?? usual;
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
    await perform(WIRES[wire], await played(turn, call), call.model, response);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // a server that listens on a port has an address of this form
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = (wire: Wire) => connectionTo(url, wire);

  return {
    url,
    requests,
    play: (more) => void turns.push(...more),
    always: (turn) => {
      usual = turn;
    },
    received: (count) =>
      requests.length >= count ? Promise.resolve() : new Promise((resolve) => void waiting.push({ count, resolve })),
    connection,
    model: (wire, { name = `scripted-${wire}`, timing } = {}) =>
      connectModel(connection(wire), name, { backoffMs: 1, ...timing }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function listed(request: IncomingMessage, response: ServerResponse): void {
  const known = request.url?.startsWith("/v1/models") === true;
  response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(known ? { data: [{ id: "scripted-one" }, { id: "scripted-two" }] } : {}));
}

const WIRES: Readonly<Record<Wire, WireFormat>> = {
  anthropic: anthropicWire,
  bedrock: bedrockWire,
  "openai-compatible": openaiWire,
};

function wireOf(path: string): Wire {
  if (path.endsWith("/messages")) return "anthropic";
  if (path.endsWith("/converse-stream")) return "bedrock";
  if (path.endsWith("/chat/completions")) return "openai-compatible";
  throw new Error(`Nothing is scripted at ${path}.`);
}

function connectionTo(url: string, wire: Wire): Connection {
  if (wire === "bedrock") return { kind: wire, region: "us-east-1", by: { key: SCRIPTED_KEY }, baseUrl: url };
  return { kind: wire, key: SCRIPTED_KEY, baseUrl: `${url}/v1` };
}

async function perform(
  format: WireFormat,
  turn: Awaited<ReturnType<typeof played>>,
  model: string,
  response: ServerResponse,
): Promise<void> {
  if (isFailure(turn)) {
    response.writeHead(turn.status, { "content-type": "application/json", ...turn.headers });
    response.end(turn.body ?? format.failure(turn));
    return;
  }
  response.writeHead(200, { "content-type": format.contentType });
  response.flushHeaders();
  for (const frame of format.frames(turn, model)) if (!(await sent(frame, response))) return;
  response.end();
}

/** Whether there is more to say. Who hung up isn't waited for. */
async function sent(frame: Frame, response: ServerResponse): Promise<boolean> {
  if (typeof frame === "string" || frame instanceof Uint8Array) {
    await new Promise<void>((resolve) => response.write(frame, () => resolve()));
    return !response.destroyed;
  }
  if ("cut" in frame) {
    response.destroy();
    return false;
  }
  await Promise.race([frame.until, once(response, "close")]);
  return !response.destroyed;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
