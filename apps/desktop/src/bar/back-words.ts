import { plain, shownKey } from "@choiros/contract";
import type { Said } from "../desk/shapes.ts";
import { count } from "../words.ts";

type Way = "comes back" | "goes" | "changes" | "moves";

export interface BackWords {
  /** How many of what, in a sentence without its end; `undefined` where nothing would change. */
  readonly text: string | undefined;
  /** The first paths, each with what becomes of it. */
  readonly paths: readonly { readonly name: string; readonly way: Way }[];
  /** How many paths more there are. */
  readonly more: number;
  /** So many need a choice, or can't be brought back. */
  readonly stuck: number;
}

/** So many paths are named. */
const NAMED = 6;

/** What going back would do, in numbers and names. */
export function backWords(said: readonly Said[]): BackWords {
  const shown = said.flatMap((one) => ("shown" in one ? [one.shown] : []));
  const paths = shown.flatMap(({ change, from }) => {
    if (!("key" in change)) return [];
    const way = wayOf(change, from);
    return { way, name: from === undefined ? shownKey(change.key) : `${shownKey(from)} → ${shownKey(change.key)}` };
  });
  const names = shown.flatMap(({ change }) => ("name" in change ? [plain(change.name)] : []));
  const windows = names.filter((name) => name.startsWith("window.")).length;
  const parts = [
    ...WAYS.map((way) => [paths.filter((path) => path.way === way).length, way] as const)
      .filter(([many]) => many > 0)
      .map(([many, way], at) => `${at === 0 ? count(many, "path") : many} ${many === 1 ? way : MANY[way]}`),
    ...(windows > 0 ? [`${count(windows, "window")} as then`] : []),
    ...(names.length > windows ? [`${count(names.length - windows, "setting")} as then`] : []),
  ];
  return {
    text: parts.length === 0 ? undefined : parts.join(", "),
    paths: paths.slice(0, NAMED),
    more: Math.max(0, paths.length - NAMED),
    stuck: said.length - shown.length,
  };
}

const WAYS: readonly Way[] = ["changes", "comes back", "goes", "moves"];
const MANY: { readonly [way in Way]: string } = {
  changes: "change",
  "comes back": "come back",
  goes: "go",
  moves: "move",
};

function wayOf({ after, before }: { after: unknown; before: unknown }, from: string | undefined): Way {
  if (from !== undefined) return "moves";
  if (before === null) return "comes back";
  return after === null ? "goes" : "changes";
}
