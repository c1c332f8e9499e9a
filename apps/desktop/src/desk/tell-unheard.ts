import { tellUnheard } from "../console.ts";
import type { DeskApi } from "./api.ts";
import type { Desk } from "./desk.ts";
import { turnsOf } from "./turns.ts";

/** What the server doesn't know of goes with the page: the console asks whoever leaves it first, which a page in a frame may not. */
export function watchUnheard(desk: Desk, api: DeskApi): void {
  const { busy } = turnsOf(api);
  let told = false;
  const look = () => {
    const isHeard = desk.connection.get() === "live" && !desk.owed.get();
    const isLost = !isHeard && (desk.unheard.any.get() || busy.get());
    if (isLost !== told) tellUnheard(isLost);
    told = isLost;
  };
  for (const watched of [desk.connection, desk.owed, desk.unheard.any, busy]) watched.watch(look);
}
