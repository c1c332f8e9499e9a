import { namedChanges, type Target } from "@choiros/contract";
import type { DeskApi, Turn } from "./api.ts";
import type { Outcome } from "./shapes.ts";

/** Tells what an undo did, by its own event, with the way to turn it round. */
export async function tellTakenBack(
  api: Pick<DeskApi, "events" | "notify" | "takeBack">,
  target: Target,
  outcome: Outcome,
  turn: Turn = "back",
): Promise<void> {
  if (!outcome.ok) return void api.notify({ text: outcome.message, kind: "wrong" });
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
