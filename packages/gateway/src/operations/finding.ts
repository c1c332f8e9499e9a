import { Json, TABLES } from "@choiros/contract";
import { z } from "zod";
import { computerAt, operation } from "./operation.ts";
import { FileLine, Seq } from "./shapes.ts";

/** What a desk begins with, and how it finds things. */

export const rows = operation({
  name: "rows",
  request: z.strictObject({ table: z.enum(TABLES), under: z.string().max(200).exactOptional() }),
  item: z.strictObject({ key: z.string(), seq: Seq, value: Json }),
  /** The last event that was counted in: whoever follows from the next one on misses nothing. */
  answer: z.strictObject({ seq: Seq }),
  async run(place, { table, under }, work) {
    const computer = await computerAt(place);
    const { pages, seq } = await computer.rows(table, under === undefined ? {} : { under });
    for await (const page of pages) {
      work.signal.throwIfAborted();
      for (const row of page) await work.item(row);
    }
    return { seq };
  },
});

export const find = operation({
  name: "find",
  request: z.strictObject({ limit: z.int().min(1).max(200).default(50), text: z.string().max(1000) }),
  item: FileLine,
  answer: z.strictObject({ count: z.int() }),
  async run(place, { limit, text }, work) {
    const computer = await computerAt(place);
    const { progress, signal } = work;
    const found = await computer.find(text, limit, { onProgress: progress, signal });
    for (const line of found) await work.item(line);
    return { count: found.length };
  },
});
