import { z } from "zod";
import { Id, UserId } from "./ids.ts";

/** What runs between the console and the desk in its frame, each a message `{ choir: … }`. */

/** What stands from `from` to `to` of a text became `insert`. */
const Edit = z.strictObject({ from: z.int().min(0), insert: z.string(), to: z.int().min(0) });
const Key = z.string().min(1).max(10_000);

/** What was typed and isn't saved, of one life of one editor. `null` is what it started from. */
const kept = {
  /** When something was typed last. */
  at: z.number(),
  id: Id,
  key: Key,
  /** On its way into the file. */
  sent: Edit.nullable().exactOptional(),
  typed: Edit.nullable(),
};
export const KeptDraft = z.strictObject({ ...kept, base: z.string() });
export type KeptDraft = z.infer<typeof KeptDraft>;

export const DraftRequest = z.discriminatedUnion("do", [
  /** What it started from may be large and seldom changes: without it, it is the one that was kept last. */
  z.strictObject({ ...kept, base: z.string().exactOptional(), do: z.literal("put") }),
  z.strictObject({ do: z.literal("remove"), id: Id }),
  /** What was typed into this file by whoever isn't there any more. */
  z.strictObject({ do: z.literal("left"), key: Key }),
]);
export type DraftRequest = z.infer<typeof DraftRequest>;

export const DraftAnswer = z.discriminatedUnion("ok", [
  z.strictObject({
    drafts: z.array(KeptDraft),
    ok: z.literal(true),
    /** Other files with drafts that nobody holds: one of them may have another name by now. */
    others: z.array(Key).exactOptional(),
  }),
  z.strictObject({ ok: z.literal(false), why: z.string() }),
]);
export type DraftAnswer = z.infer<typeof DraftAnswer>;

/** What only the console may do, once somebody there has agreed. */
export const DeskWish = z.union([
  /** `agents`: to connect a model. */
  z.enum(["agents", "export", "sign-out"]),
  /** A page of the web, beside this one. */
  z.strictObject({ visit: z.url({ protocol: /^https?$/ }).max(2000) }),
]);
export type DeskWish = z.infer<typeof DeskWish>;

export const FromDesk = z.object({
  choir: z.discriminatedUnion("type", [
    /** Asks for a token. */
    z.object({ type: z.literal("hello") }),
    z.object({ type: z.literal("pong") }),
    z.object({ type: z.literal("wish"), wish: DeskWish }),
    /** How it looks: the console has its own colours for either. */
    z.object({ scheme: z.enum(["dark", "light"]), type: z.literal("scheme") }),
    /** Whether something was done there that the server doesn't know of yet. */
    z.object({ isAny: z.boolean(), type: z.literal("unheard") }),
    /** `page` is the life of the page that asks: another one is another life. */
    z.object({ ask: z.int(), page: Id, request: DraftRequest, type: z.literal("draft") }),
  ]),
});
export type FromDesk = z.infer<typeof FromDesk>["choir"];

/** A key that was pressed in the console and means the desk, which has the keyboard from then on. */
export const DeskKey = z.strictObject({
  altKey: z.boolean(),
  code: z.string(),
  ctrlKey: z.boolean(),
  key: z.string(),
  metaKey: z.boolean(),
  shiftKey: z.boolean(),
});
export type DeskKey = z.infer<typeof DeskKey>;

export const FromConsole = z.object({
  choir: z.discriminatedUnion("type", [
    z.object({ computer: UserId, token: z.string(), type: z.literal("token") }),
    z.object({ type: z.literal("ping") }),
    z.object({ key: DeskKey, type: z.literal("key") }),
    z.object({ answer: DraftAnswer, ask: z.int(), type: z.literal("draft") }),
  ]),
});
export type FromConsole = z.infer<typeof FromConsole>["choir"];
