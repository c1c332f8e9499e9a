import { encryptedPlace } from "./encrypted-place.ts";
import { type Keyring, keyringPlace } from "./keyring-place.ts";
import { plainPlace } from "./plain-place.ts";
import type { SecretPlace, Secrets } from "./secrets.ts";

/**
 * The first place that can be used here takes what is set; all of them are asked. So a key that was kept before there was a
 * keyring, or before there was a CHOIR_SECRET_KEY, is still found, and moves when it is set again.
 */
export function openSecrets(keyring: Keyring): Secrets {
  const { home, env } = keyring;
  const places = [keyringPlace(keyring), encryptedPlace(home, env.CHOIR_SECRET_KEY), plainPlace(home)];
  return {
    get: async (name) => {
      for (const place of await usableOf(places)) {
        const value = await place.get(name);
        if (value !== undefined) return value;
      }
      return undefined;
    },
    set: async (name, value) => {
      const [first, ...others] = await usableOf(places);
      await first?.set(name, value);
      for (const place of others) await place.remove(name);
    },
    remove: async (name) => {
      for (const place of await usableOf(places)) await place.remove(name);
    },
    where: async () => {
      const [first] = await usableOf(places);
      return `Keys are kept ${first?.where ?? "nowhere"}.`;
    },
  };
}

async function usableOf(places: readonly SecretPlace[]): Promise<SecretPlace[]> {
  const usable = await Promise.all(places.map((place) => place.usable()));
  return places.filter((_, index) => usable[index]);
}
