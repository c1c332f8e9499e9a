import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Limits } from "./limits.ts";

/** Who takes nothing of what waits for them, from one look to the next, has gone, whatever the connection says. */
export function endUntaken(app: FastifyInstance, { takenMs }: Limits): void {
  /** How much each had taken at the last look; undefined where nothing waited. */
  const connections = new Map<Socket, number | undefined>();
  const add = (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once("close", () => connections.delete(socket));
  };
  app.server.on("connection", add);
  app.server.on("secureConnection", add); // what is said over it is written here, and not to what is below
  const look = setInterval(() => {
    for (const [socket, before] of connections) {
      const taken = socket.writableLength === 0 ? undefined : socket.bytesWritten - socket.writableLength;
      if (taken !== undefined && taken === before) socket.destroy();
      else connections.set(socket, taken);
    }
  }, takenMs).unref();
  app.addHook("onClose", async () => clearInterval(look));
}
