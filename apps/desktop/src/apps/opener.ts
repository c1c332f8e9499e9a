import { mediaTypeOf } from "./media-type.ts";

interface Opener {
  readonly opens: readonly string[];
}

/** The app whose word for it is the most exact: its ending, its media type, all of that kind, or everything. */
export function openerOf<App extends Opener>(
  apps: readonly App[],
  name: string,
  kind: "file" | "folder",
): App | undefined {
  const rated = apps.map((app) => ({ app, rate: Math.max(0, ...app.opens.map((word) => rateOf(word, name, kind))) }));
  return rated.filter(({ rate }) => rate > 0).sort((one, two) => two.rate - one.rate)[0]?.app;
}

function rateOf(word: string, name: string, kind: "file" | "folder"): number {
  if (kind === "folder") return word === "folder" ? 4 : 0;
  if (word === "*") return 1;
  if (word.startsWith("*.")) return name.toLowerCase().endsWith(word.slice(1).toLowerCase()) ? 4 : 0;
  const type = mediaTypeOf(name);
  if (word === type) return 3;
  return word.endsWith("/*") && type.startsWith(word.slice(0, -1)) ? 2 : 0;
}
