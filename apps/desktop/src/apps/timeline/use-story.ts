import { canonicalise } from "@choiros/contract";
import { useEffect, useMemo, useRef, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { type Filter, parseFilter, queryOf } from "./filter.ts";
import { Story } from "./story.ts";

/** Of everything, or of what the filter finds; another one where the server's log isn't the one from before. */
export function useStory(desk: DeskApi, filter: Filter): Story {
  const [round, setRound] = useState(0);
  const words = canonicalise(filter);
  const story = useMemo(
    () => new Story(desk, queryOf(parseFilter(JSON.parse(words)), new Date())),
    [desk, words, round],
  );
  useEffect(() => {
    const leave = desk.follow(
      (moments) => story.add(moments),
      () => setRound((now) => now + 1),
    );
    const unwatch = desk.connection.watch(() => {
      if (desk.connection.get() === "live" && story.problem !== undefined) story.retry();
    });
    return () => {
      leave();
      unwatch();
      story.close();
    };
  }, [desk, story]);
  return story;
}

/** The last event when somebody was at the top. */
export function useSeen(desk: DeskApi, isTop: boolean): number {
  const seen = useRef(desk.head());
  if (isTop) seen.current = desk.head();
  return seen.current;
}

/** The event of this number: from the list, or asked for; it stays when the list forgets it. */
export function useMoment(desk: DeskApi, story: Story, version: number, seq: number | undefined) {
  const [asked, setAsked] = useState<Moment>();
  const near = useMemo(() => (seq === undefined ? undefined : story.moment(seq)), [story, version, seq]);
  const known = asked?.event.seq === seq ? asked : near;
  const isKnown = known !== undefined;
  useEffect(() => {
    if (near !== undefined) setAsked(near);
  }, [near]);
  useEffect(() => {
    if (seq === undefined || isKnown) return;
    const ended = new AbortController();
    desk.events({ from: seq, to: seq }, { signal: ended.signal, onItem: setAsked }).catch(() => {}); // it isn't shown
    return () => ended.abort();
  }, [desk, seq, isKnown]);
  return seq === undefined ? undefined : known;
}
