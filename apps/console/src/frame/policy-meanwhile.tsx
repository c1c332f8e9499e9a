import { diffLines, shownDiff } from "@choiros/contract";
import { useEffect, useId, useRef } from "react";
import type { Policy } from "../server/model-shapes.ts";

interface MeanwhileParts {
  readonly before: Policy;
  readonly after: Policy;
  /** To somebody who has just pressed Save. */
  readonly isAnswer: boolean;
  onSave(): void;
  onDrop(): void;
}

/** Somebody else saved the rules, or edited the file, since what is typed here was begun: what they changed, and whose stays. */
export function PolicyMeanwhile({ before, after, isAnswer, onSave, onDrop }: MeanwhileParts) {
  const id = useId();
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isAnswer) heading.current?.focus(); // the button that was pressed waits now
  }, [isAnswer]);
  return (
    <section className="policy-meanwhile" aria-labelledby={id}>
      <p id={id} ref={heading} tabIndex={-1} className="said warn" role="alert">
        policy.toml was changed meanwhile, and what you typed isn't saved. This is what changed:
      </p>
      <pre className="code">
        {changed(before.text, after.text).map(({ kind, text }, index) => (
          <span key={index} className={kind}>
            {kind === "hunk" ? text.replace("@@ ", "") : text}
          </span>
        ))}
      </pre>
      <div className="row">
        <button type="button" className="button" onClick={onSave}>
          Save mine over it
        </button>
        <button type="button" className="button quiet" onClick={onDrop}>
          Take theirs
        </button>
      </div>
    </section>
  );
}

/** The lines that went and those that came, each place with its line. */
function changed(before: string, after: string) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return shownDiff(
    diffLines(old, now).flatMap(({ start, end, from, to }) => [
      `@@ line ${from + 1}`,
      ...old.slice(start, end).map((line) => `-${line}`),
      ...now.slice(from, to).map((line) => `+${line}`),
    ]),
  );
}
