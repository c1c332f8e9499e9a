import type { Models, NewProvider, Policy, Steward } from "../steward.ts";

/** Keeps what it is told in memory, but for a policy that is `soon another`; models of a provider called `deaf` don't answer. */
export function plainSteward(): Steward {
  const providers = new Map<string, NewProvider>();
  const chosen: Models["chosen"] = { associate: null, director: null };
  let text = "allow = []\n";
  const shown = (): Policy => ({ text, usual: "allow = []\n", version: `of ${text}` });
  const missing = (id: string) => ({ ok: false as const, message: `no provider '${id}' is connected` });
  return {
    async models() {
      const connected = [...providers.values()].map(({ key, profile: _, ...one }) => ({
        ...one,
        key_end: key?.slice(-4) ?? null,
        models: ["m"],
      }));
      return { chosen: { ...chosen }, connected, found: [], kept: "Keys are kept in memory." };
    },
    async connect(provider) {
      const key = provider.key ?? providers.get(provider.id)?.key;
      providers.set(provider.id, { ...provider, ...(key !== undefined && { key }) });
      return { ok: true };
    },
    async disconnect(id) {
      return providers.delete(id) ? { ok: true } : missing(id);
    },
    async choose(role, wanted) {
      if (!providers.has(wanted.provider)) return missing(wanted.provider);
      chosen[role] = wanted;
      return { ok: true };
    },
    async test({ provider }) {
      return provider === "deaf" ? { ok: false, ms: 0, message: "nobody answers" } : { ok: true, ms: 1, message: "" };
    },
    policy: async () => shown(),
    async setPolicy(next, was) {
      if (was !== `of ${text}`) return { ok: false, message: "it was changed meanwhile", stale: true };
      if (!next.includes("allow")) return { ok: false, message: "line 1: there is no 'allow'" };
      text = next;
      const policy = shown();
      if (next.includes("soon another")) text = "allow = ['another']\n";
      return { ok: true, policy };
    },
  };
}
