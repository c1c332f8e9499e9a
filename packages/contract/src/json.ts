import { z } from "zod";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Any JSON value. Depth, odd numbers and broken strings are refused where the canonical form is made, once for all. */
export const Json: z.ZodType<Json> = z.custom<Json>((value) => value !== undefined, "must be a JSON value");

/** A JSON object, handed on as it is: a schema that copies keys would lose one named `__proto__`. */
export const JsonObject: z.ZodType<{ readonly [key: string]: Json }> = z.custom<{ readonly [key: string]: Json }>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be a JSON object",
);
