import { useCallback, useRef, useState } from "react";
import type { FolderView } from "./folder-view.ts";
import { kept, NOTHING, only, type Selection } from "./selection.ts";

const COARSE = matchMedia("(pointer: coarse)");

/** What is chosen in a folder, as long as it is there. What is to be chosen and isn't there yet is when it comes. */
export function useChosen(view: FolderView, order: readonly string[], first: string | undefined) {
  const wanted = useRef<readonly string[]>([]);
  const [state, setState] = useState<{ selection: Selection; view?: FolderView; order: readonly string[] }>({
    selection: NOTHING,
    order: [],
  });
  let { selection } = state;
  if (state.view !== view || state.order !== order) {
    if (state.view !== view) {
      selection = NOTHING;
      wanted.current = first === undefined ? [] : [first];
    } else selection = kept(selection, state.order, order, !COARSE.matches);
    const there = new Set(order);
    const come = wanted.current.filter((key) => there.has(key));
    if (come.some((key) => !selection.keys.has(key))) selection = only(...come);
    if (come.length === wanted.current.length) wanted.current = [];
    setState({ selection, view, order });
  }
  const select = useCallback((next: Selection) => {
    wanted.current = [];
    setState((now) => ({ ...now, selection: next }));
  }, []);
  const choose = useCallback((keys: readonly string[]) => {
    wanted.current = keys;
  }, []);
  return { selection, select, choose };
}
