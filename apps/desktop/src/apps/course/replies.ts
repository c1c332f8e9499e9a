import type { Json } from "@choiros/contract";
import { askIn } from "../../asks/ask-rows.ts";
import { askedIn } from "../../bar/asked.ts";

/** What the user said to an ask while it ran, or in answer to its question. */
export interface Reply {
  readonly is: "said";
  readonly seq: number;
  readonly text: string;
  /** When the ask heard it. */
  readonly heard: string;
}

type Rows = ReadonlyMap<string, Json>;

/** What is said to one is an ask by itself, until that one has heard it. */
export function repliesTo(ask: string, rows: Rows, messages: Rows): Reply[] {
  const texts = new Map(askedIn(messages).map(({ id, text }) => [id, text]));
  return [...rows.keys()].flatMap((id) => {
    const row = askIn(rows, new Map(), id);
    if (row?.into !== ask) return [];
    return [{ is: "said", seq: row.seq, text: texts.get(id) ?? row.title, heard: row.until }];
  });
}
