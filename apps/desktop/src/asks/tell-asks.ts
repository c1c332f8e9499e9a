import { type KnownEvent, plainLine, plainList, plainWords, recognise, withoutMarks } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import type { NewNotice, PostedNotice } from "../desk/notices.ts";
import type { Moment } from "../desk/socket.ts";
import type { Watched } from "../watched.ts";
import { type Ask, askIn } from "./ask-rows.ts";

interface Tale {
  /** Whose it is. */
  readonly ask: string;
  /** Settled by a later event that has the same one. */
  readonly about: string;
  readonly notice?: NewNotice;
}

/**
 * Tells what an ask came to, what it wants to know, and what it needs an approval for. Its window says all of that: while
 * it is in front nothing is told. Returns how to stop.
 */
export function tellAsks(
  api: DeskApi,
  isInFront: (ask: string) => boolean,
  windows: Pick<Watched<unknown>, "watch">,
): () => void {
  const told = new Map<string, { readonly ask: string; readonly posted: PostedNotice }>();
  const over = (about: string) => {
    told.get(about)?.posted.dismiss();
    told.delete(about);
  };
  const leave = windows.watch(() => {
    for (const [about, { ask }] of [...told]) if (isInFront(ask)) over(about);
  });
  const stop = api.follow((moments) => {
    for (const moment of moments) {
      const tale = taleOf(moment, api);
      if (tale === undefined) continue;
      over(tale.about);
      const { about, ask, notice } = tale;
      if (notice !== undefined && !isInFront(ask)) told.set(about, { ask, posted: api.notify(notice) });
    }
  });
  return () => {
    stop();
    leave();
  };
}

type Parts = Pick<DeskApi, "asks" | "open" | "settings">;

/** What is to be told of an event; without a notice, only that what was told before is over. */
function taleOf({ event }: Moment, api: Parts): Tale | undefined {
  const known = recognise(event);
  const id = event.cause?.ask;
  if (!known.ok || id === undefined) return undefined;
  const tale = newsOf(known.value, id, api);
  return tale && { ...tale, ask: id };
}

function newsOf(event: KnownEvent, id: string, api: Parts): Omit<Tale, "ask"> | undefined {
  const ask = askIn(api.asks.rows.get(), api.settings.values.get(), id);
  const about = ofAsk(id);
  const show = { label: "Show", run: () => void api.open("course", { ask: id }) };
  const named = `“${ask?.title ?? "An ask"}”`;
  switch (event.type) {
    case "ask.answered": {
      const isDone = event.payload.status === "done";
      const text = isDone ? `${named} is done` : `${named} couldn't be done, and says why`;
      return { about, notice: { text, kind: isDone ? "good" : "wrong", action: show } };
    }
    case "ask.wondered":
      return {
        about,
        notice: {
          text: `${named} asks: ${short(withoutMarks(event.payload.question))}`,
          action: { ...show, label: "Answer" },
        },
      };
    case "ask.steered":
      return { about: ofAsk(event.payload.into) }; // its question is answered
    case "ask.paused":
      return { about, ...pauseNotice(event.payload, named, show) };
    case "ask.started":
    case "ask.resumed":
    case "ask.left":
      return { about };
    case "approval.asked": {
      const { covers } = event.payload;
      const needs = { detail: plainWords(covers), brief: plainList(covers) };
      const notice = { text: `Needs your approval, in the bar above: ${named}`, ...needs, action: show };
      return { about: approvalOf(event.payload), notice };
    }
    case "approval.given":
      return { about: approvalOf(event.payload) };
    case "note.observed": {
      const { title } = event.payload;
      if (event.source !== "agent" || title === undefined) return undefined; // without one it is only kept
      return { about: `note ${event.seq}`, notice: { text: plainLine(title), action: show } };
    }
    default:
      return undefined;
  }
}

/** Of the ask itself only what came last is told. */
function ofAsk(id: string): string {
  return `ask ${id}`;
}

function approvalOf({ approval }: { readonly approval: string }): string {
  return `approval ${approval}`;
}

/** Who stopped it knows that. */
function pauseNotice(
  { detail, why }: { readonly detail: string; readonly why: Ask["status"] },
  named: string,
  action: NewNotice["action"],
): { readonly notice?: NewNotice } {
  const words = PAUSES[why];
  if (words === undefined || action === undefined) return {};
  const text = detail === "" ? `${named} ${words}` : `${named} ${words}. ${short(detail)}`;
  return { notice: { text, kind: "wrong", action } };
}

const MOST_CHARACTERS = 200;

function short(text: string): string {
  return plainLine(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1).trimEnd()}…` : text);
}

const PAUSES: Readonly<Record<string, string>> = {
  failed: "couldn't go on",
  interrupted: "was interrupted",
  limit: "reached a limit",
};
