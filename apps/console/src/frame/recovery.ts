import { useSyncExternalStore } from "react";

const HASH = "#recover";

/** Whether the page's address asks for the frame without the desktop, and the way to want that after all. */
export function useRecovery(): [boolean, () => void] {
  return [useSyncExternalStore(subscribe, () => location.hash === HASH), leave];
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

function leave(): void {
  if (location.hash !== HASH) return;
  history.replaceState(null, "", location.pathname);
  dispatchEvent(new HashChangeEvent("hashchange")); // replacing alone tells nobody
}
