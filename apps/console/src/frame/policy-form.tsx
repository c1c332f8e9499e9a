import { type FormEvent, useEffect, useRef } from "react";
import type { Server } from "../server/server.ts";
import { PolicyMeanwhile } from "./policy-meanwhile.tsx";
import { SaidLine } from "./said-line.tsx";
import { type KeptPolicy, usePolicy } from "./use-policy.ts";

/** The file that says what agents may do without asking, what they ask for, and what they never may. */
export function PolicyForm({ server, kept }: { server: Server; kept: KeptPolicy }) {
  const { text, typed, theirs, isRefused, said, isThere, type, reset, drop, save } = usePolicy(server, kept);
  const box = useRef<HTMLTextAreaElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  // What is said of a press is in sight, however the panel was scrolled.
  useEffect(() => {
    if ((said !== undefined || theirs !== undefined) && foot.current?.contains(document.activeElement))
      foot.current.scrollIntoView({ block: "nearest" });
  }, [said, theirs]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (theirs === undefined) void save();
  };
  /** What is pressed is gone then: the keys go on in the text. */
  const settle = (work: () => void) => () => {
    box.current?.focus();
    work();
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
        ref={box}
        aria-labelledby="policy-title"
        className="mono policy"
        rows={24}
        spellCheck={false}
        disabled={!isThere}
        value={text ?? ""}
        onChange={(event) => type(event.target.value)}
      />
      <div className="policy-foot" ref={foot}>
        {theirs !== undefined && typed !== undefined && (
          <PolicyMeanwhile
            key={theirs.version}
            before={typed.over}
            after={theirs}
            isAnswer={isRefused}
            onSave={settle(() => void save())}
            onDrop={settle(drop)}
          />
        )}
        <div className="row">
          {/* It stays where it is and waits: a second press of it was for what stood there before. */}
          <button type="submit" className="button" disabled={!isThere || theirs !== undefined}>
            Save
          </button>
          <button type="button" className="button quiet" disabled={!isThere} onClick={reset}>
            Back to the defaults
          </button>
          {typed !== undefined && theirs === undefined && (
            <button type="button" className="button quiet" onClick={settle(drop)}>
              Drop my changes
            </button>
          )}
        </div>
        <SaidLine said={said} />
      </div>
    </form>
  );
}
