import { plain, shownDiff, shownKey } from "@choiros/contract";
import type { Shown } from "../server/shapes.ts";
import { size } from "../words.ts";

/** So many lines of one file are shown; the rest is in the command line's `choir diff`. */
const MOST_LINES = 2000;

/** One change: what it is about, and for text the lines. */
export function ShownChange({ shown }: { shown: Shown }) {
  const { change, from, lines } = shown;
  const name = "key" in change ? shownKey(change.key) : plain(change.name);
  const origin = from === undefined ? "" : `${shownKey(from)} → `;
  return (
    <section className="card" aria-label={`${kindOf(shown)} ${name}`}>
      <header>
        <span className={`kind ${kindOf(shown)}`}>{kindOf(shown)}</span>
        <span className="mono card-name">
          {origin}
          {name}
        </span>
        {lines !== undefined && bodyOf(lines).length > 0 && <Counts lines={lines} />}
      </header>
      <WhatChanged shown={shown} />
    </section>
  );
}

/** The key of the path, or the name of the value. */
export function placeOf({ change }: Shown): string {
  return "key" in change ? change.key : change.name;
}

/** The lines of text; of all else a word on what it is. */
export function WhatChanged({ shown: { change, lines } }: { shown: Shown }) {
  if (!("key" in change) || lines === undefined) return null;
  const words = wordsFor(change.before, change.after, lines);
  return words === undefined ? <DiffLines lines={lines} /> : <p className="faint card-words">{words}</p>;
}

type Stood = Extract<Shown["change"], { key: string }>["after"];

/** For a change that has no lines to show. */
function wordsFor(before: Stood, after: Stood, lines: string): string | undefined {
  const sizes = [before, after].flatMap((entry) => (entry === null || entry.kind === "dir" ? [] : [size(entry.size)]));
  if (lines.split("\n").includes("GIT binary patch")) return `binary, ${sizes.join(" → ")}`;
  if (bodyOf(lines).length > 0) return undefined;
  const modes = [before, after].flatMap((entry) => (entry?.kind === "file" ? [entry.mode.toString(8)] : []));
  if (before !== null && after !== null) return modes[0] === modes[1] ? undefined : `mode ${modes.join(" → ")}`;
  return "empty file";
}

function DiffLines({ lines }: { lines: string }) {
  const all = bodyOf(lines);
  const shown = shownDiff(all, MOST_LINES);
  if (all.length === 0) return null;
  return (
    <pre className="code">
      {shown.map(({ kind, text, end }, index) => (
        <span key={index} className={kind}>
          {text === "" ? " " : text}
          {end !== undefined && <i>{end}</i>}
        </span>
      ))}
      {all.length > shown.length && <span className="hunk">… {all.length - shown.length} more lines</span>}
    </pre>
  );
}

function Counts({ lines }: { lines: string }) {
  const body = bodyOf(lines);
  const starting = (sign: string) => body.filter((line) => line.startsWith(sign)).length;
  return (
    <span className="mono counts">
      <span className="added">+{starting("+")}</span> <span className="removed">−{starting("-")}</span>
    </span>
  );
}

/** Without the header that git writes: what it says stands above. */
function bodyOf(lines: string): string[] {
  const all = lines.replace(/\n$/, "").split("\n");
  const start = all.findIndex((line) => line.startsWith("@@"));
  return start < 0 ? [] : all.slice(start);
}

function kindOf({ change, from }: Shown): "new" | "gone" | "moved" | "changed" {
  if (from !== undefined) return "moved";
  if (change.before === null) return "new";
  return change.after === null ? "gone" : "changed";
}
