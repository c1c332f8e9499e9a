import type { Envelope, LookedBack } from "@choiros/contract";
import type { DeskApi } from "./api.ts";

/** Reads for `lookBack`: of all that was done, or of what became of one path. */
export function readBack(api: Pick<DeskApi, "events">, key?: string) {
  return async (query: LookedBack): Promise<readonly Envelope[]> => {
    const events: Envelope[] = [];
    await api.events({ ...query, ...(key !== undefined && { key }) }, { onItem: ({ event }) => events.push(event) });
    return events;
  };
}
