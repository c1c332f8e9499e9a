import { join } from "node:path";
import { z } from "zod";
import { SecretFile } from "./secret-file.ts";
import type { SecretPlace } from "./secrets.ts";

const Entries = z.record(z.string(), z.string());

/** A file that only this user can read. Where there is nothing better. */
export function plainPlace(home: string): SecretPlace {
  const path = join(home, "secrets.json");
  const file = new SecretFile(path, Entries);
  return {
    where: `in the file ${path}, which only you can read, and which isn't encrypted`,
    usable: () => Promise.resolve(true),
    get: async (name) => new Map(Object.entries((await file.read()) ?? {})).get(name),
    set: (name, value) => file.change(async (entries) => ({ ...entries, [name]: value })),
    remove: (name) =>
      file.change(async (entries = {}) => {
        const { [name]: _, ...others } = entries;
        return Object.keys(others).length > 0 ? others : undefined;
      }),
  };
}
