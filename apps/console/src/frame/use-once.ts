import { useRef } from "react";

/** Does it, unless it is under way: a second press means no other. */
export function useOnce() {
  const busy = useRef(false);
  return async (doing: () => Promise<void>): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    await doing().finally(() => {
      busy.current = false;
    });
  };
}
