import { join } from "node:path";
import { stringify } from "smol-toml";
import { z } from "zod";
import { readToml, type TomlReading } from "../toml/read-toml.ts";
import { writeWhole } from "../toml/write-whole.ts";
import { BaseUrl } from "./base-url.ts";

/** Where a provider's key is. Never in this file. */
const KeyFrom = z.enum(["secrets", "environment", "nowhere"]);

const Connected = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({
      kind: z.literal("anthropic"),
      base_url: BaseUrl.exactOptional(),
      key_from: KeyFrom.exclude(["nowhere"]),
    }),
    z.strictObject({
      kind: z.literal("bedrock"),
      region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, "must be a region of AWS, as us-east-1"),
      base_url: BaseUrl.exactOptional(),
      key_from: z.enum(["secrets", "environment", "profile"]),
      profile: z.string().min(1).max(128).exactOptional(),
    }),
    z.strictObject({ kind: z.literal("openai-compatible"), base_url: BaseUrl, key_from: KeyFrom }),
  ],
  'must be "anthropic", "bedrock" or "openai-compatible"',
);

export const ProviderId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be of small letters, digits and dashes, at most 40");

export const Chosen = z.strictObject({ provider: ProviderId, model: z.string().min(1).max(200) });

const ModelsFile = z
  .strictObject({
    providers: z.record(ProviderId, Connected).default({}),
    roles: z.strictObject({ director: Chosen.exactOptional(), associate: Chosen.exactOptional() }).default({}),
  })
  .check((ctx) => {
    for (const [role, chosen] of Object.entries(ctx.value.roles)) {
      if (Object.hasOwn(ctx.value.providers, chosen.provider)) continue;
      const message = "names no provider that is connected";
      ctx.issues.push({ code: "custom", input: chosen.provider, path: ["roles", role, "provider"], message });
    }
  });

export type ModelsFile = z.infer<typeof ModelsFile>;
export type Connected = z.infer<typeof Connected>;
export type Chosen = z.infer<typeof Chosen>;
export type Role = "director" | "associate";

const HEAD = `# Which providers of models are connected, and which model each role has. Keys aren't here.
# The console writes this file as a whole: remarks in it are lost.

`;

export function readModelsFile(home: string): Promise<TomlReading<ModelsFile>> {
  return readToml(modelsFileOf(home), ModelsFile);
}

export async function writeModelsFile(home: string, file: ModelsFile): Promise<void> {
  await writeWhole(modelsFileOf(home), HEAD + stringify(file));
}

/** As somebody gave it, or why it can't be. */
export function parseConnected(value: unknown): { ok: true; connected: Connected } | { ok: false; message: string } {
  const parsed = Connected.safeParse(value);
  if (parsed.success) return { ok: true, connected: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, message: `${issue?.path.join(".") || "The provider"}: ${issue?.message ?? "is wrong"}.` };
}

function modelsFileOf(home: string): string {
  return join(home, "models.toml");
}
