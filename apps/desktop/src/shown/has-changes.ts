import type { Moment } from "../desk/socket.ts";

/** Whether there is something in it to take back. */
export function hasChanges({ event }: Moment): boolean {
  return "changes" in event.payload || "list" in event.payload;
}
