import { Signal } from "@choiros/contract";
import type { Signals } from "../signals.ts";

/** Signals inside one process. What a listener throws goes to `onError`, and nobody else notices. */
export function localSignals(onError: (error: unknown) => void): Signals {
  const listeners = new Set<(signal: Signal) => unknown>();
  const waiting: { readonly signal: Signal; readonly to: readonly ((signal: Signal) => unknown)[] }[] = [];
  let sending = false;

  const deliver = async (signal: Signal, listener: (signal: Signal) => unknown) => {
    try {
      await listener(signal); // an async function passes for a listener, too
    } catch (error) {
      onError(error);
    }
  };

  return {
    send(signal) {
      waiting.push({ signal: Signal.parse(signal), to: [...listeners] });
      if (sending) return; // from inside a listener: it goes out after the one that is on its way
      sending = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        for (const listener of next.to) if (listeners.has(listener)) void deliver(next.signal, listener);
      }
      sending = false;
    },
    listen(listener) {
      const own = (signal: Signal) => listener(signal); // the same function may listen twice
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
