import type { DeskApi } from "../desk/api.ts";
import { turning } from "../desk/taken-back.ts";

const TAIL_CHARACTERS = 400;

/** A line for a shell, told of in one notice: that it waits or runs, with a way to stop it, and then what came of it. */
export async function runLine(api: DeskApi, line: string): Promise<void> {
  let output = "";
  const decoder = new TextDecoder();
  const onOutput = (bytes: Uint8Array) => {
    output = (output + decoder.decode(bytes, { stream: true })).slice(-TAIL_CHARACTERS);
  };
  const ended = new AbortController();
  const told = () =>
    ({
      text: `“${line}” ${api.connection.get() === "live" ? "is running" : "waits for the connection"}`,
      progress: "unknown",
      action: { label: "Stop", run: () => ended.abort() },
    }) as const;
  const notice = api.notify(told());
  const leave = api.connection.watch(() => notice.replace(told()));
  const ran = await api
    .run(line, { onOutput, signal: ended.signal })
    .catch((error) => {
      notice.dismiss();
      if (ended.signal.aborted) return undefined;
      throw error;
    })
    .finally(leave);
  if (ran === undefined) return;
  if (!ran.ok) return notice.replace({ text: ran.message, kind: "wrong" });
  const detail = output.trim();
  const how = ran.exit === 0 ? "is done" : ran.exit === null ? "was stopped" : `ended with ${ran.exit}`;
  notice.replace({
    text: `“${line}” ${how}`,
    kind: ran.exit === 0 ? "good" : "wrong",
    ...(detail !== "" && { detail }),
    ...(ran.changed > 0 && { action: turning(api, { call: ran.call }) }),
  });
}
