import { useEffect, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import { useWatched } from "../watched.ts";
import { outputText } from "./output-text.ts";

/** Of a long output the end is read. */
export const MOST_BYTES = 64 * 1024;

/** At most so often it is drawn. */
const DRAW_MS = 100;

/** What a call has written so far; heard anew where the connection broke. It stays when the call is over. */
export function useLiveOutput(desk: DeskApi, call: string | undefined): string | undefined {
  const [live, setLive] = useState<string>();
  const connection = useWatched(desk.connection);
  useEffect(() => {
    if (call === undefined || connection !== "live") return;
    const ended = new AbortController();
    const decoder = new TextDecoder();
    let text = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onOutput = (bytes: Uint8Array) => {
      text = (text + decoder.decode(bytes, { stream: true })).slice(-MOST_BYTES);
      timer ??= setTimeout(() => {
        timer = undefined;
        setLive(outputText(text));
      }, DRAW_MS);
    };
    desk.listen(call, { signal: ended.signal, onOutput }).catch(() => {}); // its end has it all
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [desk, call, connection]);
  return live;
}
