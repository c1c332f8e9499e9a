import { z } from "zod";

/** What a person or a computer is called: anything that fits on a line. */
export const Name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(80, "must have at most 80 characters")
  .regex(/^\P{C}+$/u, "must have no control characters")
  .refine((name) => name.isWellFormed(), "must be text");
