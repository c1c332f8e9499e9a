import { z } from "zod";
import { operation } from "./operation.ts";

/** Whether asks are answered here, by which models; or why not, and what to do. */
export const Readiness = z.union([
  z.strictObject({ associate: z.string(), director: z.string(), ready: z.literal(true) }),
  z.strictObject({ ready: z.literal(false), why: z.string() }),
]);
export type Readiness = z.infer<typeof Readiness>;

const NOBODY: Readiness = { ready: false, why: "agents run in the server: start it with 'npm start'" };

export const agents = operation({
  name: "agents",
  request: z.strictObject({}),
  item: z.never(),
  answer: Readiness,
  run: async (place) => (await place.agents?.()) ?? NOBODY,
});
