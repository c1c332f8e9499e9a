import { inlineChanges, isBelow, type Json, recognise } from "@choiros/contract";
import type { z } from "zod";
import type { DeskFiles, Stoppable } from "./api.ts";
import type { Desk } from "./desk.ts";
import { FileLine, Outcome, Shown, Version } from "./shapes.ts";
import type { Moment } from "./socket.ts";

/** The files of a computer, as apps ask for them. */
export function deskFiles(desk: Desk): DeskFiles {
  return {
    list: (key, { at, ...options } = {}) =>
      listed(desk, FileLine, "files", { key, deep: false, ...(at !== undefined && { at }) }, options),
    link: (key, options) => desk.web.link(key, options),
    read: (key, options) => desk.web.read(key, options),
    write: (key, bytes, writing) => desk.web.write(key, bytes, writing),
    arrange: async (deeds, part = {}) => Outcome.parse(await desk.do("arrange", { ...part, deeds })),
    find: (text, limit, options) => listed(desk, FileLine, "find", { text, limit }, options),
    history: (key, options) => listed(desk, Version, "history", { key }, options),
    async diff(range, { onItem, ...options }) {
      await desk.do(
        "diff",
        { ...range, lines: true },
        { ...options, reads: true, onItem: (item) => onItem(Shown.parse(item)) },
      );
    },
    restore: async (key, at) => Outcome.parse(await desk.do("restore", { at, key })),
    watch: (key, changed) =>
      desk.follow((moments) => {
        if (moments.some((moment) => touches(moment, key))) changed();
      }, changed),
  };
}

async function listed<Item>(
  desk: Desk,
  schema: z.ZodType<Item>,
  name: string,
  request: { readonly [key: string]: Json },
  { onItem, ...options }: Stoppable & { onItem?(item: Item): void } = {},
): Promise<readonly Item[]> {
  const items: Item[] = [];
  const take = (json: Json) => {
    const item = schema.parse(json);
    items.push(item);
    onItem?.(item);
  };
  await desk.do(name, request, { ...options, reads: true, onItem: take });
  return items;
}

/** Of a list that is too long for its event nobody knows here what is in it: it may be anything. */
function touches({ event }: Moment, key: string): boolean {
  const known = recognise(event);
  if (!known.ok) return false;
  if ("list" in known.value.payload) return true;
  return inlineChanges(known.value).some(
    (change) => "key" in change && (change.key === key || isBelow(change.key, key) || isBelow(key, change.key)),
  );
}
