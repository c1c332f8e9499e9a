import type { DeskApi } from "../desk/api.ts";
import type { Moment } from "../desk/socket.ts";
import { endOf, tellRunning } from "./run-line.ts";

/** Commands of the user's that ran already when this page came are in the taskbar, and told of when they are over, as if it had called them. */
export async function tellStillRunning(api: DeskApi): Promise<void> {
  for (const { command: line, event } of await api.running()) {
    const call = event.cause?.call;
    if (event.source === "user" && line !== undefined && call !== undefined) void follow(api, line, call);
  }
}

async function follow(api: DeskApi, line: string, call: string): Promise<void> {
  const { notice, onOutput, leave, tail } = tellRunning(api, {
    line,
    call,
    stop: { label: "Stop", run: () => api.stop(call) },
    aside: true,
  });
  const made: Moment[] = [];
  const over = Promise.withResolvers<Moment>();
  const hear = (moment: Moment) => {
    if (moment.event.cause?.call !== call) return;
    made.push(moment);
    if (moment.event.type === "tool.result") over.resolve(moment);
  };
  const unfollow = api.follow((moments) => moments.forEach(hear));
  const heard = api.listen(call, { onOutput }).catch(() => false); // its end is heard all the same
  // It may have ended before anybody listened.
  api.events({ cause: { call }, type: ["tool.result"], limit: 1 }, { onItem: hear }).catch(() => {});
  const { exit, status } = (await over.promise).event.payload;
  unfollow();
  await heard;
  leave();
  const changed = made.filter(({ event }) => event.type === "files.changed").length;
  const code = status === "ok" ? 0 : typeof exit === "number" ? exit : null;
  notice.replace(endOf(api, { line, call, exit: code, changed, detail: tail.text() }));
}
