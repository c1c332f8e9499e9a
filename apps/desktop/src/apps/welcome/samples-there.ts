import { recognise } from "@choiros/contract";
import { useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { FOLDER, isSample } from "./samples.ts";

/** More changes than a sample sees. */
const MOST_EVENTS = 1000;

/** The call that made the samples that are there, as the log tells it, whichever window or browser that was in. */
export async function callOfSamples(desk: Pick<DeskApi, "events" | "files">): Promise<string | undefined> {
  const lines = await desk.files.list(FOLDER).catch(() => []); // no folder, no samples
  if (!lines.some(({ key }) => isSample(key))) return undefined;
  let call: string | undefined;
  await desk.events(
    { type: ["file.write"], source: ["user"], key: FOLDER, newest: true, limit: MOST_EVENTS },
    {
      onItem({ event }) {
        const known = recognise(event);
        if (call !== undefined || !known.ok || known.value.type !== "file.write") return;
        const { payload, cause } = known.value;
        const made =
          "changes" in payload &&
          payload.changes.some(({ before, path }) => before === null && typeof path === "string" && isSample(path));
        if (made) call = cause?.call;
      },
    },
  );
  return call;
}

export function useSamples(desk: DeskApi): string | undefined {
  const [call, setCall] = useState<string>();
  useEffect(() => {
    let left = false;
    let asked = 0;
    const look = () => {
      const mine = ++asked;
      callOfSamples(desk)
        .then((found) => !left && mine === asked && setCall(found))
        .catch(() => {}); // without a connection it stays what was known
    };
    look();
    const leave = desk.files.watch(FOLDER, look);
    return () => {
      left = true;
      leave();
    };
  }, [desk]);
  return call;
}
