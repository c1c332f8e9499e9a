import { plainWhole, plainWords, reasonOf } from "@choiros/contract";
import { count } from "../words.ts";
import type { Approval } from "./unfinished.ts";

/** What is to be allowed, as it will be done: all of it can be read here, for there is no other place before it happens. */
export function ApprovalReason({ approval: { whole, why } }: { approval: Pick<Approval, "whole" | "why"> }) {
  const said = whole ?? why;
  if (said === undefined) return null;
  const reason = reasonOf(said);
  const left = whole === null && <p className="warn-text">Not all of it can be shown here.</p>;
  if (reason === undefined)
    return (
      <div className="soft approval-why">
        {plainWords(said)}
        {left}
      </div>
    );
  return (
    <div className="soft approval-why">
      {reason.does}
      {left}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className="approval-whole" tabIndex={0} aria-label="All that it is to do">
        <dl>
          {reason.given.map(([name, values]) => (
            <div key={name}>
              <dt className="faint">
                {plainWords(name)}
                <LengthOf {...{ values }} />
              </dt>
              {values.map((value, i) => (
                <dd key={i} className="mono">
                  {plainWhole(value)}
                </dd>
              ))}
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

/** So that nobody takes the first lines of something long for all of it. */
function LengthOf({ values }: { values: readonly string[] }) {
  const length = values.join("").length;
  return length > LONG && <span> · {count(length, "character")}</span>;
}

const LONG = 400;
