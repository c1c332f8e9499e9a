import { DraftStore, draftsName, isDraftsName } from "./draft-store.ts";

/** So long a draft is kept after somebody typed on it last. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

/** Forgets what nobody came back for, whoever it was, and what was typed on computers that this account hasn't any more. */
export async function forgetOldDrafts(account: string, computers: readonly string[]): Promise<void> {
  const all = (await indexedDB.databases?.()) ?? []; // one that doesn't tell keeps them
  const own = new Set(computers.map((computer) => draftsName({ account, computer })));
  for (const { name = "" } of all) {
    if (!isDraftsName(name)) continue;
    if (name.startsWith(draftsName({ account, computer: "" })) && !own.has(name)) indexedDB.deleteDatabase(name);
    else await new DraftStore(name).forget(Date.now() - KEPT_MS);
  }
}
