import { type Cause, namedChanges, type Target } from "@choiros/contract";
import type { DeskApi, Turn } from "./api.ts";
import type { NewNotice } from "./notices.ts";
import { sentence } from "./problem.ts";
import type { Outcome, Refused } from "./shapes.ts";

/** Whatever stands in line: for who has waited for their turn. What stands in the way is told. */
export async function takeBackNow(api: DeskApi, target: Target, turn?: Turn): Promise<boolean> {
  try {
    const outcome = await api.undo(target);
    await tellTakenBack(api, target, outcome, turn);
    return outcome.ok;
  } catch (error) {
    api.notify({ text: sentence(error), kind: "wrong" });
    return false;
  }
}

/** Tells what an undo did, by its own event, with the way to turn it round. */
export async function tellTakenBack(
  api: Pick<DeskApi, "events" | "notify" | "open" | "takeBack">,
  target: Target,
  outcome: Outcome,
  turn: Turn = "back",
): Promise<void> {
  if (!outcome.ok) {
    const action = await wayToChoose(api, target, outcome).catch(() => undefined); // Timeline has it without
    return void api.notify({ text: outcome.message, kind: "wrong", ...(action && { action }) });
  }
  const { call, changed, notes } = outcome;
  const isGoBack = "since" in target;
  const what = isGoBack || changed === 0 ? undefined : await changedBy(api, call, turn).catch(() => undefined); // then it is told without
  const done = turn === "back" ? "Taken back" : "Done again";
  const text = isGoBack ? `Everything is as it was after event ${target.since}` : what === undefined ? done : `${done}: ${what}`; // biome-ignore format: in one line
  const [detail] = notes;
  api.notify({
    text,
    kind: "good",
    ...(detail !== undefined && { detail }),
    ...(changed > 0 && { action: turning(api, { call }, isGoBack || turn === "again" ? "back" : "again") }),
  });
}

/** What a notice offers about what was done. */
export function turning(
  api: Pick<DeskApi, "takeBack">,
  target: Target,
  turn: Turn = "back",
): { readonly label: string; run(): void } {
  return { label: turn === "back" ? "Undo" : "Redo", run: () => void api.takeBack(target, turn) };
}

/** Where somebody has to choose first, Timeline shows both versions. */
async function wayToChoose(
  api: Pick<DeskApi, "events" | "open">,
  target: Target,
  { reason }: Refused,
): Promise<NewNotice["action"]> {
  if (reason !== "conflict" || "since" in target) return undefined;
  const seq = "seq" in target ? target.seq : await firstOf(api, target);
  return seq === undefined ? undefined : { label: "Look at it", run: () => void api.open("timeline", { seq }) };
}

async function firstOf(api: Pick<DeskApi, "events">, cause: Cause): Promise<number | undefined> {
  const seqs: number[] = [];
  await api.events({ cause, limit: 1 }, { onItem: ({ event }) => seqs.push(event.seq) });
  return seqs[0];
}

async function changedBy(api: Pick<DeskApi, "events">, call: string, turn: Turn): Promise<string | undefined> {
  let what: string | undefined;
  await api.events(
    { cause: { call }, type: ["undo"], newest: true, limit: 1 },
    {
      onItem({ event }) {
        what = namedChanges(event.payload, turn === "back");
      },
    },
  );
  return what;
}
