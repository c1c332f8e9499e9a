import { z } from "zod";

/** How what is said of models and their rules looks on its way in and out. Of a key only its end comes out. */

const Kind = z.enum(["anthropic", "bedrock", "openai-compatible"]);
export const Role = z.enum(["director", "associate"]);

const Name = z.string().min(1).max(200);
const Address = z.url({ protocol: /^https?$/ }).max(500);

export const NewProvider = z.strictObject({
  base_url: Address.exactOptional(),
  /** How it is called here. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be a-z, 0-9 and -, at most 40"),
  key: z.string().min(1).max(2000).exactOptional(),
  kind: Kind,
  profile: Name.exactOptional(),
  region: Name.exactOptional(),
});
export type NewProvider = z.infer<typeof NewProvider>;

const Provider = z.strictObject({
  base_url: z.string().exactOptional(),
  id: z.string(),
  /** The last 4 characters of its key; `null` where it needs none, or the machine has it. */
  key_end: z.string().nullable(),
  kind: Kind,
  /** What it says it has; empty where it doesn't tell. */
  models: z.array(z.string()),
  /** Why it doesn't: it can't be reached, its key is refused. It is connected all the same. */
  problem: z.string().exactOptional(),
  region: z.string().exactOptional(),
});

/** Found on this machine, and not connected. */
const FoundProvider = Provider.extend({ where: z.string() });

export const Chosen = z.strictObject({ model: Name, provider: Name });
export type Chosen = z.infer<typeof Chosen>;

export const Models = z.strictObject({
  chosen: z.strictObject({ associate: Chosen.nullable(), director: Chosen.nullable() }),
  connected: z.array(Provider),
  found: z.array(FoundProvider),
  /** Where keys are kept, in a sentence. */
  kept: z.string(),
  /** Why nothing of this can be used. */
  problem: z.string().exactOptional(),
});
export type Models = z.infer<typeof Models>;

export const Tested = z.strictObject({ message: z.string(), ms: z.int().min(0), ok: z.boolean() });
export type Tested = z.infer<typeof Tested>;

export const Policy = z.strictObject({
  problem: z.string().exactOptional(),
  text: z.string(),
  /** What holds where nobody wrote another. */
  usual: z.string(),
  /** Of the text: who writes another says which one they had read. */
  version: z.string(),
});
export type Policy = z.infer<typeof Policy>;

/** `message` says what is wrong, and what to do. */
export type Said = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** `stale`: somebody else has written it since. */
export type PolicySaid =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly message: string; readonly stale?: true };

/** Which models work on this server, and by which rules. Whoever keeps this promises that no key ever comes out. */
export interface Steward {
  models(): Promise<Models>;
  /** Again with the same id: in its place. Without a key, the one that it had stays. */
  connect(provider: NewProvider): Promise<Said>;
  disconnect(provider: string): Promise<Said>;
  choose(role: z.infer<typeof Role>, chosen: Chosen): Promise<Said>;
  /** One small call, as it will be made. */
  test(chosen: Chosen): Promise<Tested>;
  policy(): Promise<Policy>;
  /** Says what was written. Nothing is that can't be read again, and nothing over another text than that of the version `was`. */
  setPolicy(text: string, was: string): Promise<PolicySaid>;
}
