import { useEffect, useState } from "react";
import { z } from "zod";
import type { Desk } from "../desk/desk.ts";
import { noRoom } from "../desk/problem.ts";
import type { Connection } from "../desk/socket.ts";
import { useWatched } from "../watched.ts";

const Health = z.object({ log: z.object({ problem: z.string().optional() }) });
const HEALTH_MS = 15_000;

/** Whether what is done here is kept: a dot while it is, words where it isn't. */
export function ConnectionMark({ desk }: { desk: Desk }) {
  const connection = useWatched(desk.connection);
  const problem = useProblem();
  const { kind, short, long } = wordsOf(connection, problem);
  return (
    <span className={`connection ${kind}`} role="status" title={long}>
      <span className="dot" aria-hidden="true" />
      <span className="connection-word">{short}</span>
      <span className="sr-only">{long}</span>
    </span>
  );
}

function wordsOf(connection: Connection, problem: string | undefined) {
  if (connection === "lost") {
    const long = "The server can't be reached. What you do meanwhile is sent as soon as it can be.";
    return { kind: "wrong", short: "offline", long };
  }
  if (problem !== undefined)
    return { kind: "wrong", short: "read-only", long: `Nothing can be kept at the moment: ${problem}` };
  if (connection === "connecting") return { kind: "waiting", short: "connecting", long: "Connecting to the server." };
  return { kind: "good", short: "", long: "Connected. Everything so far is on disk." };
}

/** Why nothing can be written, where that is so. */
function useProblem(): string | undefined {
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const look = async () => {
      const response = await fetch("/api/health").catch(() => undefined);
      setProblem(Health.safeParse(await response?.json().catch(() => undefined)).data?.log.problem);
    };
    void look();
    const timer = setInterval(look, HEALTH_MS);
    const leave = noRoom.watch(() => void look());
    return () => {
      clearInterval(timer);
      leave();
    };
  }, []);
  return problem;
}
