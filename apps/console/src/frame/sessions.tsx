import { useCallback, useEffect, useState } from "react";
import { z } from "zod";
import { sentence } from "../server/problem.ts";
import type { Server } from "../server/server.ts";
import { SessionLine } from "../server/shapes.ts";
import { browserOf, dayAndTime } from "../words.ts";
import { useSettled } from "./use-settled.ts";

/** Where the account is signed in, and the ways to end that. */
export function Sessions({ server, onChanged }: { server: Server; onChanged(): Promise<void> }) {
  const [lines, setLines] = useState<readonly SessionLine[]>();
  const [said, setSaid] = useState<string>();
  const ready = useSettled(lines);

  const look = useCallback(async () => {
    try {
      setLines(await server.ask(z.array(SessionLine), "/api/sessions"));
    } catch (error) {
      setSaid(sentence(error));
    }
  }, [server]);
  useEffect(() => void look(), [look]);

  const end = async (path: string, then: () => Promise<void>) => {
    try {
      await server.ask(z.null(), path, { method: "DELETE" });
      await then();
    } catch (error) {
      setSaid(sentence(error));
    }
  };

  return (
    <section className="fields" aria-labelledby="sessions-title">
      <h3 id="sessions-title">Where you are signed in</h3>
      <ul className="sessions" aria-busy={lines === undefined}>
        {lines?.map((line) => (
          <li key={line.id}>
            <div className="grow">
              {browserOf(line.userAgent)}
              <div className="faint">since {dayAndTime(line.created)}</div>
            </div>
            {line.current ? (
              <span className="tag gold">here</span>
            ) : (
              <button
                type="button"
                className="button"
                disabled={!ready}
                aria-label={`Sign out ${browserOf(line.userAgent)}, since ${dayAndTime(line.created)}`}
                onClick={() => end(`/api/sessions/${line.id}`, look)}
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      {said !== undefined && (
        <p className="said warn" role="alert">
          {said}
        </p>
      )}
      <button type="button" className="button danger" onClick={() => end("/api/sessions", onChanged)}>
        Sign out everywhere
      </button>
    </section>
  );
}
