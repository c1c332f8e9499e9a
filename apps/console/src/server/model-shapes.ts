import { z } from "zod";

/** What the gateway says of models and their rules, as far as the console needs it. */

export const KINDS = ["anthropic", "bedrock", "openai-compatible"] as const;

const Provider = z.object({
  base_url: z.string().optional(),
  id: z.string(),
  key_end: z.string().nullable(),
  kind: z.enum(KINDS),
  models: z.array(z.string()),
  problem: z.string().optional(),
  region: z.string().optional(),
});
export type Provider = z.infer<typeof Provider>;

const FoundProvider = Provider.extend({ where: z.string() });
export type FoundProvider = z.infer<typeof FoundProvider>;

const Chosen = z.object({ model: z.string(), provider: z.string() });
export type Chosen = z.infer<typeof Chosen>;

export const Models = z.object({
  chosen: z.object({ associate: Chosen.nullable(), director: Chosen.nullable() }),
  connected: z.array(Provider),
  found: z.array(FoundProvider),
  kept: z.string(),
  problem: z.string().optional(),
});
export type Models = z.infer<typeof Models>;

export const Tested = z.object({ message: z.string(), ms: z.number(), ok: z.boolean() });

export const Policy = z.object({
  problem: z.string().optional(),
  text: z.string(),
  usual: z.string(),
  version: z.string(),
});
export type Policy = z.infer<typeof Policy>;
