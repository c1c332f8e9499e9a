import { z } from "zod";
import { JsonObject } from "./json.ts";
import { isWindowKey } from "./window-key.ts";

/** Where a window stands on its desk, or that it is out of sight. */
export const WindowState = z.enum([
  "normal",
  "minimised",
  "maximised",
  "left",
  "right",
  "top-left",
  "top-right",
  "bottom-left",
  "bottom-right",
]);
export type WindowState = z.infer<typeof WindowState>;

/** Farther than any desk: what lies outside of the one that shows it is brought back there. */
const MOST_PIXELS = 100_000;
const Place = z.int().min(-MOST_PIXELS).max(MOST_PIXELS);
const Length = z.int().min(1).max(MOST_PIXELS);

/** The name of an app: also that of its folder. */
export const AppId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be 1 to 64 of a-z, 0-9 and '-'");
export type AppId = z.infer<typeof AppId>;

/** What is in the state under the key `window.ID`. */
export const WindowValue = z.strictObject({
  app: AppId,
  /** What it shows, in the app's own words: `{"key": "workspace/a.md"}`. */
  args: JsonObject,
  /** In CSS pixels, where it stands or will again when it is `normal`. */
  box: z.strictObject({ h: Length, w: Length, x: Place, y: Place }),
  /** It was let go over the bottom of its screen; any other is all in sight there. */
  hangs: z.literal(true).exactOptional(),
  state: WindowState,
  title: z.string().max(300),
  /** What it was before it was minimised, or which part of the screen it had before it was maximised. */
  was: WindowState.exclude(["minimised"]).exactOptional(),
  /** Greater is in front. */
  z: z.int().min(0),
});
export type WindowValue = z.infer<typeof WindowValue>;

/** `window.ID`, with an id that can stand anywhere. */
export const WindowKey = z
  .string()
  .refine((key) => isWindowKey(key) && /^[A-Za-z0-9_-]{1,64}$/.test(key.slice("window.".length)), "must be window.ID");
