import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../home.ts";
import type { Finding } from "./finding.ts";

/** Imports that broke off, or are still at work: what they have made so far lies beside the place of a store. */
export function importFindings(home: Home): Finding[] {
  const users = join(home.path, "users");
  const names = existsSync(users) ? readdirSync(users) : [];
  return names.flatMap((name) => {
    const draft = `${home.storeOf(name)}.importing`;
    if (!existsSync(draft)) return [];
    const advice = "If no import is at work, this one broke off: import again, or remove that folder.";
    return [{ what: `Import of ${name}`, ok: true, found: `not finished, in ${draft}`, advice }];
  });
}
