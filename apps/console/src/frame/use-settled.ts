import { useEffect, useState } from "react";

const SETTLE_MS = 500;

/** Whether a list is as it was half a second ago: right after it changed a click, or its double, was for what stood there before. */
export function useSettled<List>(list: List): boolean {
  const [settled, setSettled] = useState<{ readonly list: List }>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ list }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [list]);
  return settled !== undefined && settled.list === list;
}
