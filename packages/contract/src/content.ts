import { z } from "zod";
import { Sha256 } from "./ids.ts";

/** Bytes that lie beside the log, named by their own hash. */
export const ContentRef = z.strictObject({
  hash: Sha256,
  size: z.int().min(0),
});
export type ContentRef = z.infer<typeof ContentRef>;
