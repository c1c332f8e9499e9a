import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";

/** So near to the end, somebody is at it. */
const NEAR = 48;
/** So much of what comes after what runs is in sight, too. */
const BELOW = 64;

/**
 * Where somebody is at the end, the end stays in sight as more comes; while a task runs, the end of that. What is shown in
 * between (`instead`) is shown from its beginning; afterwards it is as it was.
 */
export function useEnd(instead: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const end = useRef(0);
  const isAtEnd = useRef(true);
  const left = useRef(0);
  const stay = useEffectEvent((current: HTMLElement) => {
    if (instead) return;
    end.current = endOf(current);
    if (isAtEnd.current) current.scrollTop = end.current;
  });
  useEffect(() => {
    const { current } = place;
    if (current === null || inner.current === null) return;
    const grown = new ResizeObserver(() => stay(current));
    for (const one of [current, inner.current]) grown.observe(one);
    return () => grown.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (place.current !== null) place.current.scrollTop = instead ? 0 : left.current;
  }, [instead]);
  const onScroll = () => {
    const { current } = place;
    if (current === null || instead) return;
    left.current = current.scrollTop;
    isAtEnd.current = current.scrollTop > Math.min(end.current, furthest(current)) - NEAR;
  };
  return { place, inner, onScroll };
}

function furthest({ clientHeight, scrollHeight }: HTMLElement): number {
  return scrollHeight - clientHeight;
}

function endOf(place: HTMLElement): number {
  const running = [...place.querySelectorAll(".course-steps[data-status=running] .task[data-status=running]")].at(-1);
  if (running === undefined) return furthest(place);
  const below = running.getBoundingClientRect().bottom - place.getBoundingClientRect().bottom;
  return Math.min(furthest(place), Math.max(0, place.scrollTop + below + BELOW));
}
