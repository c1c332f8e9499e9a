import { type FormEvent, useEffect, useState } from "react";
import { Policy } from "../server/model-shapes.ts";
import { sentence } from "../server/problem.ts";
import type { Server } from "../server/server.ts";

/** The file that says what agents may do without asking, what they ask for, and what they never may. */
export function PolicyForm({ server }: { server: Server }) {
  const [text, setText] = useState<string>();
  const [said, setSaid] = useState<{ good: boolean; text: string }>();
  useEffect(() => {
    const over = new AbortController();
    const take = ({ problem, text: now }: Policy) => {
      setText(now);
      if (problem !== undefined) setSaid({ good: false, text: problem });
    };
    server.ask(Policy, "/api/policy", { signal: over.signal }).then(take, (error: unknown) => {
      if (!over.signal.aborted) setSaid({ good: false, text: sentence(error) });
    });
    return () => over.abort();
  }, [server]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    try {
      setText((await server.ask(Policy, "/api/policy", { method: "POST", body: { text } })).text);
      setSaid({ good: true, text: "Saved. It holds for what is asked from now on." });
    } catch (error) {
      setSaid({ good: false, text: sentence(error) });
    }
  };
  return (
    <form className="fields" onSubmit={submit}>
      <label htmlFor="policy">
        <h3>What they may do</h3>
      </label>
      <textarea
        id="policy"
        className="mono policy"
        rows={14}
        spellCheck={false}
        disabled={text === undefined}
        value={text ?? ""}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="row">
        <button type="submit" className="button" disabled={text === undefined}>
          Save
        </button>
      </div>
      {said !== undefined && (
        <p className={`said ${said.good ? "good" : "warn"}`} role={said.good ? "status" : "alert"}>
          {said.text}
        </p>
      )}
    </form>
  );
}
