import { plainText } from "@choiros/contract";
import { useState } from "react";

const MOST_LINES = 3;

/** A reason is for a model, too: what of it is longer than this is shown on demand. */
const MOST_REASON = 240;

/** Why something went wrong, in its card. */
export function Reason({ text }: { text: string }) {
  return (
    <p className="card-reason">
      <Folded text={text} most={MOST_REASON} />
    </p>
  );
}

/** A text of which the beginning is shown, where it is long, until somebody wants all of it. */
export function Folded({ text, most }: { text: string; most: number }) {
  const [whole, setWhole] = useState(false);
  const begun = text.split("\n").slice(0, MOST_LINES).join("\n").slice(0, most).trimEnd();
  if (begun.length >= text.trimEnd().length) return <>{plainText(text)}</>;
  return (
    <>
      {plainText(whole ? text : `${begun}…`)}{" "}
      <button type="button" className="word" onClick={() => setWhole(!whole)}>
        {whole ? "less" : "more"}
      </button>
    </>
  );
}
