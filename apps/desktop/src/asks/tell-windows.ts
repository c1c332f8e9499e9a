import { plain, recognise, WindowValue } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import type { NewNotice, PostedNotice } from "../desk/notices.ts";
import type { Moment } from "../desk/socket.ts";

/** Tells of a window that an agent opened out of sight, behind what the user works in; of each ask the last one. Returns how to stop. */
export function tellWindows(
  api: Pick<DeskApi, "follow" | "notify" | "open">,
  isFront: (window: string) => boolean,
): () => void {
  const told = new Map<string, PostedNotice>();
  return api.follow((moments) => {
    for (const moment of moments) {
      const ask = moment.event.cause?.ask ?? "";
      const opened = openedIn(moment);
      if (opened.length === 0) continue;
      told.get(ask)?.dismiss();
      told.delete(ask);
      const last = opened.findLast(({ id }) => !isFront(id)); // the one in front may have made place for it
      if (last !== undefined) told.set(ask, api.notify(behind(last.value, api)));
    }
  });
}

function behind({ app, args, title }: WindowValue, api: Pick<DeskApi, "open">): NewNotice {
  const show = { label: "Show", run: () => void api.open(app, args) };
  return { text: `“${plain(title)}” is open behind your window`, action: show };
}

interface Opened {
  readonly id: string;
  readonly value: WindowValue;
}

function openedIn({ event }: Moment): Opened[] {
  const known = recognise(event);
  if (!known.ok || event.source !== "agent") return [];
  if (known.value.type !== "window.open" && known.value.type !== "window.focus") return [];
  return known.value.payload.changes.flatMap(({ after, key }) => {
    const value = WindowValue.safeParse(after).data; // else of a newer desk
    return value === undefined ? [] : [{ id: key.slice("window.".length), value }];
  });
}
