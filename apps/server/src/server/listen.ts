import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, BlockList, isIPv6, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { CommandError } from "../command-error.ts";
import type { Home } from "../home.ts";
import type { Reach } from "./reach.ts";

export interface Listening {
  readonly port: number;
  /** Ends with the connections it has. */
  close(): Promise<void>;
}

/**
 * On each of the hosts, with the same port: of both loopback addresses a browser may try either first, and whoever else
 * held one could pass for us.
 */
export async function listen(web: FastifyInstance, reach: Reach, port: number, home: Home): Promise<Listening> {
  const [first = "127.0.0.1", ...others] = reach.hosts;
  const twins: Server[] = [];
  const close = async () => {
    for (const twin of twins) await end(twin);
  };
  try {
    if (reach.proxiedOnly) turnAway(web.server, reach.trusted);
    await web.listen({ port, host: first });
    const { port: bound } = web.server.address() as AddressInfo; // it listens on a port, not on a path
    for (const host of others) {
      const twin = twinOf(web, reach);
      twins.push(twin);
      await listenWhereThereIs(twin, host, bound);
    }
    return { port: bound, close };
  } catch (error) {
    await close();
    throw sentence(error, reach, port, home);
  }
}

/** Serves what `web` does, with all that is upgraded, and waits as long for whoever asks. */
export function twinOf(web: FastifyInstance, { tls }: Pick<Reach, "tls">): Server {
  const { headersTimeout, keepAliveTimeout, requestTimeout } = web.server;
  const times = { headersTimeout, keepAliveTimeout, requestTimeout };
  const twin =
    tls === undefined ? createServer(times, web.routing) : createTlsServer({ ...times, ...tls }, web.routing);
  twin.on("upgrade", (request, socket, head) => {
    if (!web.server.emit("upgrade", request, socket, head)) socket.destroy();
  });
  return twin;
}

async function listenWhereThereIs(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ port, host });
    await once(server, "listening");
  } catch (error) {
    const code = codeOf(error);
    if (code !== "EAFNOSUPPORT" && code !== "EADDRNOTAVAIL") throw error; // those mean that there is no IPv6 here
  }
}

/** What a stranger sends in the clear is not even read. */
function turnAway(server: Server, trusted: readonly string[]): void {
  const known = new BlockList();
  for (const range of [...trusted, "127.0.0.0/8", "::1"]) {
    const [address = "", bits] = range.split("/");
    const type = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) known.addAddress(address, type);
    else known.addSubnet(address, Number(bits), type);
  }
  server.prependListener("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    if (!known.check(remoteAddress, isIPv6(remoteAddress) ? "ipv6" : "ipv4")) socket.destroy();
  });
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections();
  if (!server.listening) return;
  server.close();
  await once(server, "close");
}

function sentence(error: unknown, { hosts }: Reach, port: number, home: Home): unknown {
  const code = codeOf(error);
  const elsewhere = `set another one in ${home.path}/config.toml ([server] port) or with CHOIR_SERVER_PORT`;
  if (code === "EADDRINUSE") return new CommandError(`port ${port} is taken by another program: ${elsewhere}`);
  if (code === "EACCES") return new CommandError(`port ${port} needs more rights than this user has: ${elsewhere}`);
  if (code === "EADDRNOTAVAIL") return new CommandError(`server.listen ${hosts[0]} is no address of this machine`);
  return error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
