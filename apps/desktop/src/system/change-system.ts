import { type Layout, parseLayout, SYSTEM_KEYS, type Theme, themeText } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import type { Outcome } from "../desk/shapes.ts";

/** Changes a part of the theme that there is; where there is none, or a broken one, it is a new one. */
export async function changeTheme(api: DeskApi, news: Partial<Theme>): Promise<Outcome> {
  return api.files.write(SYSTEM_KEYS.theme, themeText(await textOf(api, SYSTEM_KEYS.theme), news));
}

/** The same of the layout; what becomes of it may go by what it was, and belong to a call. */
export async function changeLayout(
  api: DeskApi,
  news: Partial<Layout> | ((former: Layout) => Promise<Partial<Layout>>),
  call?: string,
): Promise<Outcome> {
  const former = (await readSystem(api, SYSTEM_KEYS.layout, parseLayout)) ?? {};
  const next = typeof news === "function" ? await news(former) : news;
  return write(api, SYSTEM_KEYS.layout, { ...former, ...next }, call);
}

type Parsed<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false };

/** `undefined` where there is none, or a broken one. */
export async function readSystem<Value>(
  api: DeskApi,
  key: string,
  parse: (text: string) => Parsed<Value>,
): Promise<Value | undefined> {
  const text = await textOf(api, key);
  const parsed = text === undefined ? undefined : parse(text);
  return parsed?.ok === true ? parsed.value : undefined;
}

/** `undefined` where there is none. It is looked for first: a file that is missing is an error to browsers. */
async function textOf(api: DeskApi, key: string): Promise<string | undefined> {
  const isThere = (await api.files.list("artifacts/system")).some((line) => line.key === key);
  return isThere ? (await api.files.read(key))?.text() : undefined;
}

function write(api: DeskApi, key: string, value: Layout, call?: string): Promise<Outcome> {
  return api.files.write(key, `${JSON.stringify(value, null, 2)}\n`, call === undefined ? {} : { call });
}
