import { newId } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import type { NewNotice } from "../desk/notices.ts";
import type { Moment } from "../desk/socket.ts";
import { turning } from "../desk/taken-back.ts";
import { Tail } from "./tail.ts";

/** At most so often a notice says what was written last. */
const TELL_MS = 500;

/**
 * A line for a shell, told of in one notice: that it waits or runs, with what it wrote last and a way to stop it, and then
 * what came of it. All that it wrote is shown in a window. `false` where it was refused.
 */
export async function runLine(api: DeskApi, line: string, call = newId()): Promise<boolean> {
  const ended = new AbortController();
  const stop = { label: "Stop", run: () => ended.abort() };
  const { notice, onOutput, leave, tail } = tellRunning(api, { line, call, stop });
  const ran = await api
    .run(line, { call, onOutput, signal: ended.signal })
    .catch((error) => {
      if (ended.signal.aborted) return undefined; // nobody waits for how it ended
      notice.remove(); // what is wrong is said by whoever hears of it
      throw error;
    })
    .finally(leave);
  const detail = tail.text();
  if (ran === undefined) notice.replace(endOf(api, { line, call, exit: null, changed: 0, detail }));
  else if (ran.ok) notice.replace(endOf(api, { ...ran, line, detail }));
  else notice.replace({ text: ran.message, kind: "wrong" });
  return ran?.ok !== false;
}

interface Begun {
  readonly line: string;
  readonly call: string;
  readonly stop: { readonly label: string; run(): void };
  /** It is no news. */
  readonly aside?: true;
}

/** A notice of what waits or runs, as far as it is; `leave` says that it is over. */
export function tellRunning(api: DeskApi, { line, call, stop, aside }: Begun) {
  const tail = new Tail();
  const told = (): NewNotice => {
    const [detail, isLive] = [tail.text(), api.connection.get() === "live"];
    return {
      text: `“${line}” ${isLive ? "is running" : "waits for the connection"}`,
      progress: "unknown",
      ...(aside && { aside }),
      ...(detail !== "" && { detail }),
      ...(isLive && { show: showing(api, call) }),
      action: stop,
    };
  };
  const notice = api.notify(told());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unwatch = api.connection.watch(() => notice.replace(told()));
  const onOutput = (bytes: Uint8Array) => {
    tail.add(bytes);
    timer ??= setTimeout(() => {
      timer = undefined;
      notice.replace(told());
    }, TELL_MS);
  };
  const leave = () => {
    clearTimeout(timer);
    unwatch();
  };
  return { notice, onOutput, leave, tail };
}

interface Ended {
  readonly line: string;
  readonly call: string;
  /** `null` where it was stopped. */
  readonly exit: number | null;
  readonly changed: number;
  readonly detail: string;
}

/** What came of it. */
export function endOf(api: DeskApi, { line, call, exit, changed, detail }: Ended): NewNotice {
  const how = exit === 0 ? "is done" : exit === null ? "was stopped" : `ended with ${exit}`;
  return {
    text: `“${line}” ${how}`,
    kind: exit === 0 ? "good" : "wrong",
    ...(detail !== "" && { detail, show: showing(api, call) }),
    ...(changed > 0 && { action: turning(api, { call }) }),
  };
}

/** All that it wrote is with the event that called it. */
function showing(api: DeskApi, call: string): { readonly label: string; run(): void } {
  const show = () => {
    const later = api.later();
    const onItem = ({ event }: Moment) => void later.open("timeline", { seq: event.seq });
    return api.events({ cause: { call }, type: ["tool.call"], limit: 1 }, { onItem });
  };
  return { label: "Show", run: () => void show().catch(() => {}) }; // where the connection breaks, that is said
}
