import { z } from "zod";
import type { Args } from "../../windows/deeds.ts";
import { COLUMNS } from "./sorting.ts";

const Place = z.object({
  key: z.string().min(1).catch("workspace"),
  find: z.string().min(1).optional().catch(undefined),
  /** What is chosen when it opens. */
  select: z.string().optional().catch(undefined),
  view: z.enum(["list", "grid"]).catch("list"),
  by: z.enum(COLUMNS).catch("name"),
  down: z.boolean().catch(false),
  pane: z.enum(["none", "preview", "versions", "deleted"]).catch("none"),
});

/** What a window shows, and how: all of it is in its args, so that it is the same after a reload and everywhere. */
export type Place = z.infer<typeof Place>;

export function placeOf(args: Args): Place {
  return Place.parse(args);
}

/** Only what isn't usual. */
export function argsOf({ key, find, select, view, by, down, pane }: Place): Args {
  return {
    key,
    ...(find !== undefined && { find }),
    ...(select !== undefined && { select }),
    ...(view !== "list" && { view }),
    ...(by !== "name" && { by }),
    ...(down && { down }),
    ...(pane !== "none" && { pane }),
  };
}
