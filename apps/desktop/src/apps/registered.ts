import type { Apps, Recognised } from "@choiros/contract";
import type { Manifest } from "./app.ts";

/** The apps as a computer's own list has them: those it names first, in its order and by its words; then the others. */
export function registered(there: readonly Manifest[], { apps }: Apps): Recognised<readonly Manifest[]> {
  const missing = apps.findIndex(({ id }) => there.every((app) => app.id !== id));
  if (missing >= 0) return { ok: false, why: `apps.${missing}.id: there is no app '${apps[missing]?.id}' here` };
  const named = apps.flatMap((words) => there.filter(({ id }) => id === words.id).map((app) => renamed(app, words)));
  return { ok: true, value: [...named, ...there.filter(({ id }) => apps.every((one) => one.id !== id))] };
}

function renamed(app: Manifest, { id: _, shown, ...words }: Apps["apps"][number]): Manifest {
  const { hidden, inMenu, ...rest } = { ...app, ...words };
  if (shown === false) return { ...rest, hidden: true };
  return { ...rest, ...(hidden === true && shown === undefined && { hidden }), ...(inMenu === true && { inMenu }) };
}
