import { parseApps, type Recognised } from "@choiros/contract";
import { Watched } from "../watched.ts";
import type { Manifest } from "./app.ts";
import { openerOf } from "./opener.ts";
import { type Registered, registered } from "./registered.ts";

const found = import.meta.glob<{ readonly manifest: Manifest }>("./*/manifest.ts", { eager: true });

/** Every app there is, by its title. */
const THERE: readonly Manifest[] = Object.values(found)
  .map(({ manifest }) => manifest)
  .sort((one, two) => one.title.localeCompare(two.title));

/** Every app, in the order and by the words of the computer's own list. */
export const apps = new Watched(THERE);

/** How that list is read, and what becomes of it; without one, the apps are as they are made. */
export function parseRegistry(text: string): Recognised<Registered> {
  const parsed = parseApps(text);
  return parsed.ok ? { ok: true, value: registered(THERE, parsed.value) } : parsed;
}

export function putRegistry(list: readonly Manifest[] | undefined): void {
  apps.set(list ?? THERE);
}

export function appOf(id: string): Manifest | undefined {
  return apps.get().find((app) => app.id === id);
}

/** Who opens this; a folder has no media type. */
export function appFor(name: string, kind: "file" | "folder"): Manifest | undefined {
  return openerOf(apps.get(), name, kind);
}
