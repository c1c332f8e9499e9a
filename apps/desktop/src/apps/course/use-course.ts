import { useEffect, useMemo, useState } from "react";
import { NO_STREAMS, type Streams } from "../../asks/streams.ts";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Moment } from "../../desk/socket.ts";
import type { Course } from "./course.ts";
import { courseOf } from "./course-of.ts";
import type { Reply } from "./replies.ts";

interface Read {
  readonly ask: string;
  readonly moments: readonly Moment[];
  readonly done: boolean;
  readonly problem?: string;
}

/** All events of one ask, and each new one as it comes; with what was said to it. */
export function useCourse(
  desk: DeskApi,
  ask: string,
  replies: readonly Reply[],
): { course: Course; done: boolean; problem?: string } {
  const [read, setRead] = useState<Read>({ ask, moments: [], done: false });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    const found = new Map<number, Moment>();
    const show = (more: { done: boolean; problem?: string }) => {
      if (ended.signal.aborted) return;
      const moments = [...found.values()].sort((one, two) => one.event.seq - two.event.seq);
      setRead({ ask, moments, ...more });
    };
    let done = false;
    const leave = desk.follow(
      (moments) => {
        const own = moments.filter(({ event }) => event.cause?.ask === ask);
        for (const moment of own) found.set(moment.event.seq, moment);
        if (own.length > 0 && done) show({ done });
      },
      () => setRound((now) => now + 1),
    );
    desk
      .events({ cause: { ask } }, { signal: ended.signal, onItem: (moment) => found.set(moment.event.seq, moment) })
      .then(() => {
        done = true;
        show({ done });
      })
      .catch((error) => show({ done: true, problem: sentence(error) }));
    return () => {
      leave();
      ended.abort();
    };
  }, [desk, ask, round]);
  const { moments, done, problem } = read.ask === ask ? read : { moments: [], done: false, problem: undefined };
  const course = useMemo(() => courseOf(moments, replies), [moments, replies]);
  return { course, done, ...(problem !== undefined && { problem }) };
}

/** What comes may be much: it is drawn so often, and no more. */
const DRAW_MS = 80;

/** What a model says and commands write, as it comes. */
export function useStreams(desk: DeskApi, ask: string): Streams {
  const now = () => desk.asks.streams.get().get(ask) ?? NO_STREAMS;
  const [streams, setStreams] = useState(now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    setStreams(now);
    const leave = desk.asks.streams.watch(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setStreams(now);
      }, DRAW_MS);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [desk, ask]);
  return streams;
}

/** The time, each second, as long as it counts. */
export function useNow(counts: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!counts) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [counts]);
  return now;
}
