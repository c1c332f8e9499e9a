import { type FormEvent, useEffect, useRef, useState } from "react";
import { Policy } from "../server/model-shapes.ts";
import { sentence } from "../server/problem.ts";
import type { Server } from "../server/server.ts";
import { type Said, SaidLine } from "./said-line.tsx";

/** The file that says what agents may do without asking, what they ask for, and what they never may. */
export function PolicyForm({ server }: { server: Server }) {
  const [text, setText] = useState<string>();
  const [usual, setUsual] = useState<string>();
  const foot = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState<Said>();
  useEffect(() => {
    const over = new AbortController();
    const take = ({ problem, text: now, usual }: Policy) => {
      setText(now);
      setUsual(usual);
      if (problem !== undefined) setSaid({ good: false, text: problem });
    };
    server.ask(Policy, "/api/policy", { signal: over.signal }).then(take, (error: unknown) => {
      if (!over.signal.aborted) setSaid({ good: false, text: sentence(error) });
    });
    return () => over.abort();
  }, [server]);
  // What is said of a press is in sight, however the panel was scrolled.
  useEffect(() => {
    if (said !== undefined && foot.current?.contains(document.activeElement))
      foot.current.scrollIntoView({ block: "nearest" });
  }, [said]);
  const reset = () => {
    setText(usual);
    setSaid({ good: true, text: "These are the defaults. Save to use them." });
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    try {
      setText((await server.ask(Policy, "/api/policy", { method: "POST", body: { text } })).text);
      setSaid({ good: true, text: "Saved. It holds at once." });
    } catch (error) {
      setSaid({ good: false, text: sentence(error) });
    }
  };
  return (
    <form className="fields" onSubmit={submit} aria-labelledby="policy-title">
      <h3 id="policy-title">What they may do</h3>
      <dl className="policy-help faint">
        <dt>allow</dt>
        <dd>what a task may have without a question</dd>
        <dt>ask</dt>
        <dd>what you are asked about first</dd>
        <dt>never</dt>
        <dd>what is never done; it is above all others</dd>
        <dt>always</dt>
        <dd>what you allowed for good, also beyond a task</dd>
        <dt>limits</dt>
        <dd>how much a task, an ask and a day may take</dd>
      </dl>
      <textarea
        id="policy"
        aria-labelledby="policy-title"
        className="mono policy"
        rows={24}
        spellCheck={false}
        disabled={text === undefined}
        value={text ?? ""}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="policy-foot" ref={foot}>
        <div className="row">
          <button type="submit" className="button" disabled={text === undefined}>
            Save
          </button>
          <button type="button" className="button quiet" disabled={usual === undefined} onClick={reset}>
            Back to the defaults
          </button>
        </div>
        <SaidLine said={said} />
      </div>
    </form>
  );
}
