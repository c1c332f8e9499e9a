import type { Apps } from "@choiros/contract";
import type { Manifest } from "./app.ts";

export interface Registered {
  readonly apps: readonly Manifest[];
  /** The ids of those that are named and aren't there. */
  readonly missing: readonly string[];
}

/** The apps as a computer's own list has them: those it names first, in its order and by its words; then the others. */
export function registered(there: readonly Manifest[], { apps }: Apps): Registered {
  const named = apps.flatMap((words) => there.filter(({ id }) => id === words.id).map((app) => renamed(app, words)));
  return {
    apps: [...named, ...there.filter(({ id }) => apps.every((one) => one.id !== id))],
    missing: apps.map(({ id }) => id).filter((id) => there.every((app) => app.id !== id)),
  };
}

function renamed(app: Manifest, { id: _, shown, ...words }: Apps["apps"][number]): Manifest {
  const { hidden, inMenu, ...rest } = { ...app, ...words };
  if (shown === false) return { ...rest, hidden: true };
  return { ...rest, ...(hidden === true && shown === undefined && { hidden }), ...(inMenu === true && { inMenu }) };
}
