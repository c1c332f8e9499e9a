import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** A place, and how wide it is, which mustn't depend on what is in it. */
export function useWidth<Place extends HTMLElement>(): readonly [RefObject<Place | null>, number] {
  const place = useRef<Place>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    const measure = () => setWidth(current.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  return [place, width];
}
