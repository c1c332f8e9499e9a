import { NO_MODEL } from "@choiros/contract";
import { lastFour, type Secrets } from "../secrets/secrets.ts";
import { SecretsError } from "../secrets/secrets-error.ts";
import type { Environment } from "./aws-profile.ts";
import { isFitForKeys } from "./base-url.ts";
import { connectModel } from "./connect-model.ts";
import { secretsOf } from "./connection.ts";
import { openConnected, secretOf } from "./key-of.ts";
import { listModels, type Offered } from "./list-models.ts";
import type { Model } from "./model.ts";
import {
  type Chosen,
  type Connected,
  type ModelsFile,
  ProviderId,
  parseConnected,
  type Role,
  readModelsFile,
  writeModelsFile,
} from "./models-file.ts";
import type { Timing } from "./timing.ts";

/** What is wrong, and what to do. Never a key. */
export interface Wrong {
  readonly ok: false;
  readonly message: string;
}

export interface ShownProvider {
  readonly id: string;
  readonly connected: Connected;
  /** Its last four characters; `undefined` where it needs none, or has none any more. */
  readonly key: string | undefined;
}

export interface Models {
  /** For the console: everything but the keys. */
  show(): Promise<Wrong | { ok: true; providers: ShownProvider[]; roles: ModelsFile["roles"]; where: string }>;
  /** With a key it goes to the secrets. What was connected under this id before is replaced. */
  connect(id: string, provider: unknown, key?: string): Promise<Wrong | { ok: true }>;
  /** Forgets it, its key, and the roles that it had. */
  disconnect(id: string): Promise<Wrong | { ok: true }>;
  choose(role: Role, chosen: Chosen): Promise<Wrong | { ok: true }>;
  offers(id: string): Promise<Offered>;
  /** One tiny call. */
  test(chosen: Chosen): Promise<Wrong | { ok: true; ms: number }>;
  /** A role's model; where it has none, the other's. */
  model(role: Role): Promise<Wrong | { ok: true; model: Model }>;
}

export interface ModelsOptions {
  readonly home: string;
  readonly secrets: Secrets;
  readonly env: Environment;
  readonly timing?: Partial<Timing>;
}

export function openModels({ home, secrets, env, timing }: ModelsOptions): Models {
  let turn: Promise<unknown> = Promise.resolve();
  /** One change after the other, each from what is there then. */
  const change = (next: (file: ModelsFile) => Wrong | ModelsFile): Promise<Wrong | { ok: true }> => {
    const changed = turn.then(async (): Promise<Wrong | { ok: true }> => {
      const read = await readModelsFile(home);
      if (!read.ok) return read;
      const file = next(read.value);
      if ("ok" in file) return file;
      await writeModelsFile(home, file);
      return { ok: true };
    });
    turn = changed.catch(() => undefined);
    return changed;
  };
  const open = async (id: string) => {
    const read = await readModelsFile(home);
    if (!read.ok) return read;
    const connected = connectedIn(read.value, id);
    return connected === undefined ? unknown(id) : openConnected(id, connected, { secrets, env });
  };

  return {
    show: async () => {
      const read = await readModelsFile(home);
      if (!read.ok) return read;
      const shown = Object.entries(read.value.providers).map(async ([id, connected]): Promise<ShownProvider> => {
        const opened = await openConnected(id, connected, { secrets, env });
        const [key] = opened.ok ? secretsOf(opened.connection) : [];
        return { id, connected, key: key === undefined ? undefined : lastFour(key) };
      });
      return { ok: true, providers: await Promise.all(shown), roles: read.value.roles, where: await secrets.where() };
    },
    connect: async (id, provider, key) => {
      const parsed = parseConnected(key === undefined ? provider : withSecret(provider));
      if (!parsed.ok) return parsed;
      const read = await readModelsFile(home);
      const wrong = read.ok ? wrongWith(id, parsed.connected, key) : read;
      if (wrong !== undefined) return wrong;
      const unkept = key === undefined ? undefined : await kept(() => secrets.set(secretOf(id), key));
      if (unkept !== undefined) return unkept;
      return change((file) => ({ ...file, providers: { ...file.providers, [id]: parsed.connected } }));
    },
    disconnect: async (id) => {
      const changed = await change((file) => (connectedIn(file, id) === undefined ? unknown(id) : without(file, id)));
      return changed.ok ? ((await kept(() => secrets.remove(secretOf(id)))) ?? changed) : changed;
    },
    choose: (role, chosen) =>
      change((file) => {
        if (connectedIn(file, chosen.provider) === undefined) return unknown(chosen.provider);
        return { ...file, roles: { ...file.roles, [role]: chosen } };
      }),
    offers: async (id) => {
      const opened = await open(id);
      return opened.ok ? listModels(opened.connection) : opened;
    },
    test: async ({ provider, model }) => {
      const opened = await open(provider);
      return opened.ok
        ? tested(connectModel(opened.connection, model, { firstMs: 30_000, ...timing, tries: 1 }))
        : opened;
    },
    model: async (role) => {
      const read = await readModelsFile(home);
      if (!read.ok) return read;
      const { director, associate } = read.value.roles;
      const chosen = role === "director" ? (director ?? associate) : (associate ?? director);
      if (chosen === undefined) return { ok: false, message: NO_MODEL };
      const opened = await open(chosen.provider);
      return opened.ok ? { ok: true, model: connectModel(opened.connection, chosen.model, timing) } : opened;
    },
  };
}

function connectedIn(file: ModelsFile, id: string): Connected | undefined {
  return new Map(Object.entries(file.providers)).get(id);
}

function unknown(id: string): Wrong {
  return { ok: false, message: `No provider ${JSON.stringify(id)} is connected.` };
}

/** Why a key couldn't be kept, or forgotten: a place that doesn't open is the owner's to mend. */
async function kept(keep: () => Promise<void>): Promise<Wrong | undefined> {
  try {
    await keep();
    return undefined;
  } catch (error) {
    if (error instanceof SecretsError) return { ok: false, message: error.message };
    throw error;
  }
}

function withSecret(provider: unknown): unknown {
  return typeof provider === "object" ? { ...provider, key_from: "secrets" } : provider;
}

function wrongWith(id: string, connected: Connected, key: string | undefined): Wrong | undefined {
  const named = ProviderId.safeParse(id);
  if (!named.success) return { ok: false, message: `The id ${named.error.issues[0]?.message ?? "is wrong"}.` };
  if (key !== undefined && !/^[\x21-\x7e]{1,4096}$/.test(key)) {
    return { ok: false, message: "A key is one word without blanks. Copy it again." };
  }
  const { base_url: baseUrl, key_from } = connected;
  if (key_from !== "nowhere" && baseUrl !== undefined && !isFitForKeys(baseUrl)) {
    return { ok: false, message: "With a key, the address must begin with https://, or be on this machine." };
  }
  return undefined;
}

function without(file: ModelsFile, id: string): ModelsFile {
  const { [id]: _, ...providers } = file.providers;
  const roles = Object.entries(file.roles).filter(([, chosen]) => chosen.provider !== id);
  return { providers, roles: Object.fromEntries(roles) };
}

async function tested(model: Model): Promise<Wrong | { ok: true; ms: number }> {
  const began = performance.now();
  const answer = await model.ask(
    { system: "Answer with one word.", messages: [{ role: "user", text: "Say ok." }], tools: [], maxTokens: 64 },
    { signal: new AbortController().signal },
  );
  if (!answer.ok) return { ok: false, message: answer.message };
  return { ok: true, ms: Math.round(performance.now() - began) };
}
