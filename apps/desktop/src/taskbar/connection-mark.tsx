import { useEffect, useState } from "react";
import { z } from "zod";
import type { Desk } from "../desk/desk.ts";
import { noRoom } from "../desk/problem.ts";
import type { Connection } from "../desk/socket.ts";
import { useWatched } from "../watched.ts";

const Health = z.object({ log: z.object({ problem: z.string().optional() }) });
type Health = z.infer<typeof Health>;
/** Until it was asked. */
const WELL: Health = { log: {} };
const HEALTH_MS = 15_000;
/** Where it didn't answer: a question may have gone over a connection that was dead, and the next one goes over another. */
const SOON_MS = 2000;
/** Whoever takes longer doesn't say that anything is kept. */
const ANSWER_MS = 5000;

/** Whether what is done here is kept: a dot while it is, words where it isn't. */
export function ConnectionMark({ desk }: { desk: Desk }) {
  const connection = useWatched(desk.connection);
  const owed = useWatched(desk.owed);
  const health = useHealth(connection);
  const { kind, short, long } = wordsOf(connection, owed, health);
  return (
    <span className={`connection ${kind}`} role="status" title={long}>
      <span className="dot" aria-hidden="true" />
      <span className="connection-word">{short}</span>
      <span className="sr-only">{long}</span>
    </span>
  );
}

function wordsOf(connection: Connection, owed: boolean, health: Health | undefined) {
  if (connection === "lost") {
    const long = "The server can't be reached. What you do meanwhile is sent as soon as it can be.";
    return { kind: "wrong", short: "offline", long };
  }
  const problem = health?.log.problem;
  if (problem !== undefined)
    return { kind: "wrong", short: "read-only", long: `Nothing can be kept at the moment: ${problem}` };
  if (connection === "connecting") return { kind: "waiting", short: "connecting", long: "Connecting to the server." };
  if (owed || health === undefined) return { kind: "waiting", short: "waiting", long: OWED };
  return { kind: "good", short: "", long: "Connected. Everything so far is on disk." };
}

const OWED = "The server hasn't answered yet. What you did last may not be on disk, and is sent again until it is.";

/** Whether anything can be written, and why not; `undefined` where the server doesn't say. It is asked anew with each connection. */
function useHealth(connection: Connection): Health | undefined {
  const [health, setHealth] = useState<Health | undefined>(WELL);
  const isSilent = health === undefined;
  useEffect(() => {
    const over = new AbortController();
    const look = async () => {
      const signal = AbortSignal.any([over.signal, AbortSignal.timeout(ANSWER_MS)]);
      const response = await fetch("/api/health", { signal }).catch(() => undefined);
      if (response?.status === 429) return; // it is there, and has much to do
      const { data } = Health.safeParse(await response?.json().catch(() => undefined));
      if (!over.signal.aborted) setHealth(data); // else a newer one knows better
    };
    if (connection !== "lost") void look();
    const timer = setInterval(look, isSilent ? SOON_MS : HEALTH_MS);
    const leave = noRoom.watch(() => void look());
    return () => {
      clearInterval(timer);
      over.abort();
      leave();
    };
  }, [connection, isSilent]);
  return health;
}
