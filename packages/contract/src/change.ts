import { z } from "zod";
import { ContentRef } from "./content.ts";
import { Sha256 } from "./ids.ts";
import { Json } from "./json.ts";
import { MAX_INLINE_CHANGES } from "./limits.ts";
import { Path } from "./path.ts";
import { Cause } from "./source.ts";
import { isWindowKey } from "./window-key.ts";

const Mode = z.int().min(0).max(0o7777);

/** What stands at a path. A link's target is its content, for it may be any bytes. */
export const Entry = z.discriminatedUnion("kind", [
  z.strictObject({ hash: Sha256, kind: z.literal("file"), mode: Mode, size: z.int().min(0) }),
  z.strictObject({ hash: Sha256, kind: z.literal("link"), mode: Mode, size: z.int().min(0) }),
  z.strictObject({ kind: z.literal("dir"), mode: Mode }),
]);
export type Entry = z.infer<typeof Entry>;

/** One path, before and after; `null` where there is nothing. With these any change can be inverted. */
export const PathChange = z
  .strictObject({ after: Entry.nullable(), before: Entry.nullable(), path: Path })
  .refine((change) => change.before !== null || change.after !== null, "must have a before or an after");
export type PathChange = z.infer<typeof PathChange>;

const Key = z.string().min(1).max(200);

/** One window or setting, before and after. */
export const KeyChange = z.strictObject({ after: Json, before: Json, key: Key });
export type KeyChange = z.infer<typeof KeyChange>;

const WindowChange = KeyChange.extend({ key: Key.refine(isWindowKey, "must begin with 'window.'") });
const SettingChange = KeyChange.extend({
  key: Key.refine((key) => !isWindowKey(key), "must not begin with 'window.'"),
});

/** The contents of a list of changes that is too long for an event: a JSON array of these. */
export const ChangeList = z.array(z.union([PathChange, KeyChange])).refine(unique, "must name each path and key once");

/** A payload with a list of path changes, and what else the event says. */
export const pathChanges = <Extra extends z.ZodRawShape>(extra: Extra) => changes(PathChange, extra);

/** A payload with changes of any kind: what an undo did, to files, windows and settings at once. */
export const anyChanges = <Extra extends z.ZodRawShape>(extra: Extra) =>
  changes(z.union([PathChange, KeyChange]), extra);

const keptOf = {
  cause: Cause.exactOptional(),
  /** A directory, which may come and go with files. */
  dir: z.literal(true).exactOptional(),
  /** The event that made the change. */
  seq: z.int().min(1),
};
/** One change that an undo was aimed at and didn't take back: what stands there now was kept. */
export const KeptChange = z.union([z.strictObject({ path: Path, ...keptOf }), z.strictObject({ key: Key, ...keptOf })]);
export type KeptChange = z.infer<typeof KeptChange>;

/** The contents of a list of what was kept that is too long for an event. */
export const KeptList = z.array(KeptChange);

/** What an undo kept: like changes, up to a hundred in the event, more in a content. */
export const Kept = z.union([
  z.array(KeptChange).min(1).max(MAX_INLINE_CHANGES),
  z.strictObject({ count: z.int().min(1), list: ContentRef }),
]);
export type Kept = z.infer<typeof Kept>;

export const WindowChanges = z.strictObject({ changes: inline(WindowChange) });
export const SettingChanges = z.strictObject({ changes: inline(SettingChange) });

/** Up to a hundred changes stand in the event; a longer list is itself a content, durable before the event that names it. */
function changes<Change extends z.ZodType<PathChange | KeyChange>, Extra extends z.ZodRawShape>(
  change: Change,
  extra: Extra,
) {
  return z.union([
    z.strictObject({ changes: inline(change), ...extra }),
    z.strictObject({ count: z.int().min(1), list: ContentRef, ...extra }),
  ]);
}

function inline<Change extends z.ZodType<PathChange | KeyChange>>(change: Change) {
  return z.array(change).min(1).max(MAX_INLINE_CHANGES).refine(unique, "must name each path and key once");
}

function unique(list: readonly (PathChange | KeyChange)[]): boolean {
  return new Set(list.map(changeKey)).size === list.length;
}

/** Also of a path that isn't one: whether it is unique is asked before anybody is told what else is wrong. */
function changeKey(change: PathChange | KeyChange): string {
  if ("key" in change) return `key:${change.key}`;
  return typeof change.path === "string" ? `path:${change.path}` : `bytes:${change.path.b64}`;
}
