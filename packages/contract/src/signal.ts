import { z } from "zod";
import { JsonObject } from "./json.ts";
import { Cause } from "./source.ts";
import { TypeName } from "./type-name.ts";

/** What is worth saying but not keeping: stream deltas, progress, cursors, "stop". */
export const Signal = z.strictObject({
  cause: Cause.exactOptional(),
  payload: JsonObject,
  type: TypeName,
});
export type Signal = z.infer<typeof Signal>;
