import { plainText } from "@choiros/contract";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Ask, askIn, asksIn } from "../asks/ask-rows.ts";
import { byNeed, isBusy, isOpen } from "../asks/ask-words.ts";
import type { DeskApi } from "../desk/api.ts";
import type { PostedNotice } from "../desk/notices.ts";
import { sentence } from "../desk/problem.ts";
import { useWatched, Watched } from "../watched.ts";
import { askedIn } from "./asked.ts";
import { asSentence, PATIENCE_MS, tellNobody } from "./no-model.ts";

export interface Asks {
  /** What was asked before, the newest first. */
  readonly texts: readonly string[];
  /** What isn't over: what waits for an answer first, then what runs; of what waits for its turn what has it next. */
  readonly open: readonly Ask[];
  /** Why asks wait, by ask, as far as the agents said so. */
  readonly whys: ReadonlyMap<string, string>;
  say(text: string, paths: readonly string[]): Promise<boolean>;
}

/** What people want of the Director, said in the bar; and what of it isn't over. */
export function useAsks(api: DeskApi): Asks {
  const messages = useWatched(api.asks.messages);
  const settings = useWatched(api.settings.values);
  const rows = useWatched(api.asks.rows);
  const texts = useMemo(() => [...new Set(askedIn(messages).map(({ text }) => text))], [messages]);
  const open = useMemo(() => byNeed(asksIn(rows, settings).filter(isOpen)), [rows, settings]);
  const told = useRef<PostedNotice>(undefined);
  const whys = useWhys(api);
  const say = useCallback(
    async (text: string, paths: readonly string[]) => {
      try {
        const outcome = await api.asks.say(text, { paths });
        told.current?.dismiss(); // it is said once
        if (!outcome.ok) told.current = api.notify({ text: outcome.message, kind: "wrong" });
        else setTimeout(() => tellWaiting(outcome.call), PATIENCE_MS);
        return outcome.ok;
      } catch (error) {
        api.notify({ text: sentence(error), kind: "wrong" });
        return false;
      }
    },
    [api],
  );
  const tellWaiting = useCallback(
    (id: string) => {
      const [now, given] = [api.asks.rows.get(), api.settings.values.get()];
      if (askIn(now, given, id)?.status !== "queued" || asksIn(now, given).some(isBusy)) return; // it has its turn
      told.current = api.notify(tellNobody(whys.get().get(id)));
    },
    [api, whys],
  );
  return { texts, open, whys: useWatched(whys), say };
}

function useWhys(api: DeskApi): Watched<ReadonlyMap<string, string>> {
  const [whys] = useState(() => new Watched<ReadonlyMap<string, string>>(new Map()));
  useEffect(
    () =>
      api.asks.hear(({ cause, payload: { why }, type }) => {
        if (type === "agent.wait" && cause?.ask !== undefined && typeof why === "string")
          whys.set(new Map(whys.get()).set(cause.ask, asSentence(plainText(why))));
      }),
    [api, whys],
  );
  return whys;
}
