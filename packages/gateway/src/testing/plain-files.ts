import type { AddressInfo } from "node:net";
import statics from "@fastify/static";
import Fastify from "fastify";

/** A folder's files as Fastify gives them out, with nothing asked and nothing kept: what ours is measured against. */
export async function plainFiles(root: string): Promise<{ readonly port: number; close(): Promise<void> }> {
  const app = Fastify();
  await app.register(statics, { root });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // it listens on a port, not on a path
  return { port, close: () => app.close() };
}
