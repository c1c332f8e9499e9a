import { type AskStatus, type AskValue, ContentRef, type Json, Path, plainLine } from "@choiros/contract";
import { z } from "zod";
import { type TakenBack, takenBack, type Undos } from "../desk/undos.ts";

/** `AskValue`, as far as the desk needs it: a newer server may say more. */
const Row = z.object({
  answer: ContentRef.nullable(),
  attempt: z.int(),
  begun: z.int(),
  conversation: z.string().nullable(),
  cost_usd: z.number(),
  cost_unknown: z.boolean(),
  detail: z.string().nullable(),
  into: z.string().nullable(),
  look: z.array(Path),
  question: z.object({ choices: z.array(z.string()), text: z.string() }).nullable(),
  seq: z.int(),
  since: z.string(),
  status: z.string() as z.ZodType<AskStatus>, // one that isn't known here is shown by its own word
  title: z.string().nullable(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  until: z.string(),
}) satisfies z.ZodType<AskValue>;

export interface Ask extends Omit<AskValue, "status" | "title"> {
  readonly id: string;
  /** What was said, as one line that is safe to show. */
  readonly title: string;
  /** `withdrawn`: the user took it back before anybody took it up. */
  readonly status: AskStatus | "withdrawn";
  /** What it did is taken back, all of it or but for what was kept; as far as undos were looked at. */
  readonly taken: TakenBack | undefined;
}

type Rows = ReadonlyMap<string, Json>;

/** What was asked, the newest first. What told another ask something is none of its own. */
export function asksIn(rows: Rows, settings: Rows, undos: Undos = []): Ask[] {
  return [...rows.keys()]
    .flatMap((id) => askIn(rows, settings, id, undos) ?? [])
    .filter(({ status }) => status !== "steered")
    .sort((one, two) => two.seq - one.seq);
}

export function askIn(rows: Rows, settings: Rows, id: string, undos: Undos = []): Ask | undefined {
  const row = Row.safeParse(rows.get(id)).data;
  if (row === undefined) return undefined;
  const isWithdrawn = row.status === "queued" && settings.get(withdrawal(id)) === true;
  const status = isWithdrawn ? "withdrawn" : row.status;
  const did = { cause: { ask: id }, first: row.seq, last: Math.max(row.seq, row.begun) }; // resumed, it does more
  return { ...row, id, status, taken: takenBack(undos, did, "ask"), title: plainLine(row.title ?? "A long text") };
}

/** The setting that says that an ask was taken back: in the log, and so undone like anything else. */
export function withdrawal(id: string): string {
  return `ask.${id}.withdrawn`;
}
