import {
  type Found,
  firstPolicyText,
  type Models,
  policyTextOf,
  policyVersion,
  type ShownProvider,
} from "@choiros/agent";
import type { Steward } from "@choiros/gateway";
import type { AgentsHouse } from "./house.ts";

type Shown = Awaited<ReturnType<Steward["models"]>>;
type NewProvider = Parameters<Steward["connect"]>[0];
type Said = Awaited<ReturnType<Steward["connect"]>>;

/** So long a provider may take to say which models it has, while somebody looks at all of them. */
const OFFER_MS = 2000;

/** The house of the agents, as the console asks for it. */
export function stewardOf(house: AgentsHouse): Steward {
  const changed = (said: Said): Said => {
    if (said.ok) house.tellChanged();
    return said;
  };
  return {
    models: () => shownModels(house),
    connect: async (provider) => changed(await connect(house, provider)),
    disconnect: async (id) => changed(await house.models.disconnect(id)),
    choose: async (role, chosen) => changed(await house.models.choose(role, chosen)),
    async test(chosen) {
      const tested = await house.models.test(chosen);
      return tested.ok ? { ok: true, ms: tested.ms, message: "" } : { ok: false, ms: 0, message: tested.message };
    },
    async policy() {
      const [text, read] = [await house.policy.text(), await house.policy.read()];
      return read.ok ? shownPolicy(text) : { ...shownPolicy(text), problem: read.message };
    },
    async setPolicy(text, was) {
      const written = await house.policy.write(text, was);
      if (written.ok) {
        house.tellChanged();
        return { ok: true, policy: shownPolicy(text) };
      }
      return { ok: false, message: written.message, ...("stale" in written && { stale: true }) };
    },
  };
}

function shownPolicy(written: string): Awaited<ReturnType<Steward["policy"]>> {
  const text = policyTextOf(written);
  return { text, usual: firstPolicyText(), version: policyVersion(text) };
}

async function shownModels(house: AgentsHouse): Promise<Shown> {
  const [shown, found] = await Promise.all([house.models.show(), house.found()]);
  const chosen = { associate: null, director: null };
  if (!shown.ok) return { chosen, connected: [], found: [], kept: "", problem: shown.message };
  const { providers, roles, where } = shown;
  const connected = await Promise.all(
    providers.map(async (one) => shownProvider(one, await offered(house.models, one.id))),
  );
  const others = found.filter(({ id }) => !providers.some((one) => one.id === id)).map(shownFound);
  const named = { associate: roles.associate ?? null, director: roles.director ?? null };
  return { chosen: named, connected, found: others, kept: where };
}

type Offered = Awaited<ReturnType<Models["offers"]>>;

function offered(models: Models, id: string): Promise<Offered> {
  const late = {
    ok: false,
    message: "It doesn't answer. Look whether it runs, and whether the address is right.",
  } as const;
  const waited = new Promise<Offered>((resolve) => setTimeout(() => resolve(late), OFFER_MS).unref());
  return Promise.race([models.offers(id), waited]);
}

function shownProvider({ id, connected, key }: ShownProvider, offers: Offered): Shown["connected"][number] {
  const { kind } = connected;
  const told = offers.ok ? { models: [...offers.models] } : { models: [], problem: offers.message };
  return { ...placeOf(connected), id, key_end: key?.replace("…", "") ?? null, kind, ...told };
}

function shownFound({ id, says, connected, models }: Found): Shown["found"][number] {
  return { ...placeOf(connected), id, key_end: null, kind: connected.kind, models: [...models], where: says };
}

function placeOf(connected: Found["connected"]): { base_url?: string; region?: string } {
  return {
    ...(connected.base_url !== undefined && { base_url: connected.base_url }),
    ...("region" in connected && { region: connected.region }),
  };
}

/**
 * Without a key: as it was connected before, or as it was found; a server on this machine may need none. A key goes to the
 * address that it was given for, and to no other.
 */
async function connect(house: AgentsHouse, { id, key, ...asked }: NewProvider): Promise<Said> {
  const { models } = house;
  if (key !== undefined) return models.connect(id, asked, key);
  const shown = await models.show();
  if (!shown.ok) return shown;
  const former = shown.providers.find((one) => one.id === id)?.connected;
  const there = (await house.found()).find((one) => one.id === id)?.connected;
  const known = [former, there].filter((one) => one?.kind === asked.kind);
  const from = known.find((one) => asked.base_url === undefined || addressOf(one) === addressOf(asked));
  // One that is only found here, and isn't needed, is left where it is; one that was given isn't forgotten in silence.
  const given = known.find((one) => one === former || withoutKey(asked.kind) !== "nowhere");
  if (from === undefined && given !== undefined && given.key_from !== "nowhere")
    return { ok: false, message: NEW_ADDRESS };
  return models.connect(id, { ...from, ...asked, key_from: from?.key_from ?? withoutKey(asked.kind) });
}

const NEW_ADDRESS =
  "The key was given for another address: give the one for this address. Where it needs none, disconnect the provider first.";

function addressOf(provider: { readonly base_url?: string | undefined } | undefined): string | undefined {
  return provider?.base_url?.replace(/\/+$/, "");
}

function withoutKey(kind: NewProvider["kind"]): "environment" | "nowhere" {
  return kind === "openai-compatible" ? "nowhere" : "environment";
}
