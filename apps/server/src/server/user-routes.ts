import { UserId } from "@choiros/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { Role, type Users } from "../users/users.ts";
import { sendProblem } from "./problem.ts";

const NewUser = z.strictObject({ name: z.string(), role: Role });
const Named = z.strictObject({ id: UserId });
const Removing = z.strictObject({ keepFiles: z.boolean() });

/** `choir user …`, on the socket that only the owner can reach: so what fails may be told as it is. */
export function userRoutes(app: FastifyInstance, users: Users): void {
  app.get("/users", (_request, reply) => told(reply, () => users.list()));
  app.post("/users", ({ body }, reply) =>
    told(reply, () => {
      const { name, role } = NewUser.parse(body);
      return users.add(name, role);
    }),
  );
  app.post("/users/:id/remove", ({ body, params }, reply) =>
    told(reply, () => users.remove(Named.parse(params).id, Removing.parse(body))),
  );
  app.post("/users/:id/link", ({ params }, reply) => told(reply, () => users.link(Named.parse(params).id)));
}

async function told(reply: FastifyReply, work: () => Promise<unknown>): Promise<FastifyReply> {
  try {
    return reply.send(await work());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return sendProblem(reply, 422, "It can't be done", why);
  }
}
