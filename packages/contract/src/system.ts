import { z } from "zod";
import type { Recognised } from "./envelope.ts";
import { JsonObject } from "./json.ts";
import { plainReasons } from "./plain-faults.ts";
import { AppId } from "./window.ts";

/** The files that the desktop is made of: whoever changes one, by any means, changes every open desktop. */
export const SYSTEM_KEYS = {
  apps: "artifacts/system/apps.json",
  layout: "artifacts/system/layout.json",
  theme: "artifacts/system/theme.json",
  /** A picture. */
  wallpaper: "artifacts/system/wallpaper",
} as const;

/** No names and no `url()`: what is in a theme can neither be spelled wrong in silence nor reach anywhere. */
const Colour = z
  .string()
  .max(100)
  .regex(
    /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl|oklch|oklab)\([\d.,%/ deg-]+\))$/i,
    "must be a colour as #d4af37, rgb(…), hsl(…), oklab(…) or oklch(…)",
  );
const Token = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "must be the name of a token, as 'text-soft'");

export const Theme = z.strictObject({
  /** What is marked, chosen, in focus; the theme's own unless given. */
  accent: Colour.exactOptional(),
  /** By the name of its token; one for both schemes, or one for each. */
  colours: z
    .record(Token, z.union([Colour, z.strictObject({ dark: Colour.exactOptional(), light: Colour.exactOptional() })]))
    .exactOptional(),
  name: z.string().min(1).max(60),
  scheme: z.enum(["dark", "light", "system"]),
});
export type Theme = z.infer<typeof Theme>;

const Cell = z.int().min(0).max(999);
const spot = { column: Cell, row: Cell, title: z.string().min(1).max(100).exactOptional() };

export const Layout = z.strictObject({
  /** Each opens a file or a folder, or an app, from its cell of the desk's grid. */
  icons: z
    .array(
      z.union([
        z.strictObject({ key: z.string().min(1).max(20_000), ...spot }),
        z.strictObject({ app: AppId, args: JsonObject.exactOptional(), ...spot }),
      ]),
    )
    .max(500)
    .exactOptional(),
  taskbar: z
    .strictObject({
      place: z.enum(["bottom", "top"]).exactOptional(),
      /** Apps that are there also while none of their windows is open. */
      pinned: z.array(AppId).max(50).exactOptional(),
    })
    .exactOptional(),
});
export type Layout = z.infer<typeof Layout>;

/** Whatever isn't named, or isn't said of one, is as the app itself has it. */
export const Apps = z.strictObject({
  apps: z
    .array(
      z.strictObject({
        id: AppId,
        /** Names of files (`*.md`), media types (`image/*`), `folder`, or `*`; the most exact opens it, then the first. */
        opens: z
          .array(
            z
              .string()
              .max(100)
              .regex(
                /^(?:\*|\*\.[^/\s]+|folder|[a-z]+\/(?:\*|[\w.+-]+))$/,
                "must be as '*.md', 'image/*', 'folder' or '*'",
              ),
          )
          .max(100)
          .exactOptional(),
        /** On the desktop and among what the bar offers. */
        shown: z.boolean().exactOptional(),
        title: z.string().min(1).max(60).exactOptional(),
      }),
    )
    .max(500)
    .refine((apps) => new Set(apps.map(({ id }) => id)).size === apps.length, "must name each app once"),
});
export type Apps = z.infer<typeof Apps>;

/** What a file of these says, or what is wrong with it and where, in a sentence. */
export const parseTheme = (text: string): Recognised<Theme> => parsed(Theme, text);
export const parseLayout = (text: string): Recognised<Layout> => parsed(Layout, text);
export const parseApps = (text: string): Recognised<Apps> => parsed(Apps, text);

/** The file of a theme with a part of it changed; without one, of the built-in one. */
export function themeText(former: Theme | undefined, news: Partial<Theme>): string {
  const there = former ?? { name: "Carbon and gold", scheme: "dark" };
  return `${JSON.stringify({ ...there, ...news }, null, 2)}\n`;
}

function parsed<Value>(schema: z.ZodType<Value>, text: string): Recognised<Value> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, why: `it is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const found = schema.safeParse(json);
  return found.success ? { ok: true, value: found.data } : { ok: false, why: plainReasons(found.error) };
}
