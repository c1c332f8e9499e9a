import { plain } from "@choiros/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import type { WindowHandle } from "../app.ts";
import { shownName } from "./keys.ts";
import { argsOf, type Place, placeOf } from "./place.ts";

/** Where a window is, and the ways from there: on, back, and how it is shown. All of it is in the window's args. */
export function useWays(window: WindowHandle) {
  const { args } = window;
  const place = placeOf(args);
  const former = useRef<string[]>([]);
  const next = useRef<string[]>([]);
  const [, setRound] = useState(0);
  const { key } = place;

  // What somebody else made of it is heard here, too.
  const now = useRef(place);
  now.current = place;
  const change = useCallback(
    (news: Partial<Place>) => {
      const { select: _, ...rest } = now.current;
      const made = placeOf(argsOf({ select: undefined, ...rest, ...news }));
      now.current = made;
      window.setArgs(argsOf(made));
      window.setTitle(titleOf(made)); // at once: then both are one event
    },
    [window],
  );
  const title = titleOf(place);
  useEffect(() => window.setTitle(title), [window, title]);

  const move = (to: string, select?: string) => {
    setRound((round) => round + 1);
    change({ key: to, find: undefined, select });
  };
  return {
    place,
    change,
    /** `select`: chosen when it is there. */
    go(to: string, select?: string) {
      if (to === key && place.find === undefined) return;
      if (to !== key) former.current.push(key);
      next.current = [];
      move(to, select);
    },
    find: useCallback((text: string | undefined) => change({ find: text }), [change]),
    back() {
      const to = former.current.pop();
      if (to === undefined) return;
      next.current.push(key);
      move(to, key);
    },
    forward() {
      const to = next.current.pop();
      if (to === undefined) return;
      former.current.push(key);
      move(to);
    },
    canGoBack: former.current.length > 0,
    canGoOn: next.current.length > 0,
  };
}

function titleOf({ key, find }: Place): string {
  return find === undefined ? shownName(key) : `Find ${plain(find)}`;
}
