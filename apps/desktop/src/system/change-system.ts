import { type Layout, shownKey, type Theme, themeText } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import type { Outcome } from "../desk/shapes.ts";
import { Turns } from "../desk/turns.ts";
import { LAYOUT, type SystemFile, THEME, wornOf } from "./system-file.ts";

/** Changes a part of the theme that is worn. */
export function changeTheme(api: DeskApi, news: Partial<Theme>): Promise<Outcome> {
  return change(api, THEME, async (worn) => themeText(worn, news));
}

/** The same of the layout; what becomes of it may go by what it was, and belong to a call. */
export function changeLayout(
  api: DeskApi,
  news: Partial<Layout> | ((former: Layout) => Promise<Partial<Layout>>),
  call?: string,
): Promise<Outcome> {
  const next = async (former: Layout = {}) => {
    const layout = { ...former, ...(typeof news === "function" ? await news(former) : news) };
    return `${JSON.stringify(layout, null, 2)}\n`;
  };
  return change(api, LAYOUT, next, call);
}

/** What was changed is seen; in words it is told where there are some, or more to know about it. */
export function tellChanged(api: DeskApi, outcome: Outcome, text?: string): void {
  if (text === undefined && outcome.ok && outcome.notes.length === 0) return;
  api.notifyDone(text ?? "The desktop is changed", outcome);
}

const turns = new Turns();

/** Once the file is as the change before leaves it: of two that began with the same one only the last would stay. */
function change<Value>(
  api: DeskApi,
  file: SystemFile<Value>,
  next: (worn: Value | undefined) => Promise<string>,
  call?: string,
): Promise<Outcome> {
  return turns.inTurn(() => write(api, file, next, call));
}

/** Over a broken one, from the last good one; that it went is to be known. */
async function write<Value>(
  api: DeskApi,
  file: SystemFile<Value>,
  next: (worn: Value | undefined) => Promise<string>,
  call?: string,
): Promise<Outcome> {
  const { value, isBroken } = await wornOf(api, file);
  const outcome = await api.files.write(file.key, await next(value), call === undefined ? {} : { call });
  if (!outcome.ok || !isBroken) return outcome;
  const note = `${shownKey(file.key)} couldn't be used: it is written anew, from the last good one.`;
  return { ...outcome, notes: [note, ...outcome.notes] };
}
