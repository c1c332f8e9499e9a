import {
  ACTION_TYPES,
  canonicalise,
  describeEvent,
  isAction,
  isPlainUndo,
  PathChange,
  recognise,
  type Target,
} from "@choiros/contract";
import { z } from "zod";
import type { DeskApi } from "./api.ts";
import type { Notice } from "./notices.ts";
import type { Moment } from "./socket.ts";
import { turning } from "./taken-back.ts";

/** Of what was done the history begins with so many events. */
const RECENT = 100;

/** What was done before this page was there, as the log has it: the history begins with that, in every browser. */
export async function pastNotices(api: Pick<DeskApi, "events" | "takeBack">): Promise<Omit<Notice, "fresh" | "id">[]> {
  const moments: Moment[] = [];
  await api.events(
    { newest: true, limit: RECENT, type: [...ACTION_TYPES] },
    { onItem: (moment) => moments.push(moment) },
  );
  return deedsIn(moments).map(({ moment, target }) => {
    const { detail, text } = describeEvent(moment);
    const more = detail === undefined ? {} : { detail };
    const action = turning(api, target, isPlainUndo(moment.event) ? "again" : "back");
    return { text, ...more, kind: "good", at: new Date(moment.event.ts), action };
  });
}

interface Deed {
  readonly moment: Moment;
  readonly target: Target;
}

/** The last event of each call, with all that the call changed, the oldest first; the moments come the newest first. */
function deedsIn(moments: readonly Moment[]): Deed[] {
  const deeds = new Map<string, Deed>();
  for (const moment of moments) {
    const known = recognise(moment.event);
    if (!known.ok || !isAction(known.value) || known.value.type === "settings.change") continue;
    const { cause, seq } = moment.event;
    const call = cause?.call;
    const key = call ?? `event ${seq}`;
    const later = deeds.get(key);
    if (later === undefined) deeds.set(key, { moment, target: call === undefined ? { seq } : { call } });
    else deeds.set(key, { ...later, moment: together(moment, later.moment) });
  }
  return [...deeds.values()].reverse();
}

/** A call may do one thing after the other, as the one that makes the samples: what it did to a path first and last. */
function together(first: Moment, later: Moment): Moment {
  const [before, after] = [changesIn(first), changesIn(later)];
  if (before === undefined || after === undefined) return later; // a long list isn't read for this
  const changes = new Map(before.map((change) => [canonicalise(change.path), change]));
  for (const change of after) {
    const path = canonicalise(change.path);
    changes.set(path, { ...change, before: changes.has(path) ? (changes.get(path)?.before ?? null) : change.before });
  }
  const payload = { ...later.event.payload, changes: [...changes.values()] };
  return { ...later, event: { ...later.event, payload } };
}

function changesIn({ event }: Moment): readonly PathChange[] | undefined {
  return z.array(PathChange).safeParse(event.payload.changes).data;
}
