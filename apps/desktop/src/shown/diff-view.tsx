import "./diff-view.css";
import { canonicalise, type Json, plain, shownDiff, shownKey } from "@choiros/contract";
import type { ReactNode } from "react";
import type { Shown } from "../desk/shapes.ts";
import { count, fileSize } from "../words.ts";
import { diffBody, diffCounts } from "./diff-body.ts";

/** So many lines of one file are drawn; the rest is counted. */
const MOST_LINES = 2000;

interface DiffViewParts {
  readonly shown: Shown;
  /** What can be done with it, in its head. */
  readonly children?: ReactNode;
}

/** One change: what it is about, and for text the lines. */
export function DiffView({ shown, children }: DiffViewParts) {
  const { change, from, lines } = shown;
  const kind = kindOf(shown);
  const name = "key" in change ? shownKey(change.key) : plain(change.name);
  return (
    <section className="diff" aria-label={`${kind} ${name}`}>
      <header>
        <span className={`diff-kind ${kind}`}>{kind}</span>
        <span className="mono diff-name">
          {from !== undefined && `${shownKey(from)} → `}
          {name}
        </span>
        {lines !== undefined && <Counts lines={lines} />}
        {children}
      </header>
      <DiffText shown={shown} />
    </section>
  );
}

/** The key of the path, or the name of the value. */
export function placeOf({ change }: Shown): string {
  return "key" in change ? change.key : change.name;
}

/** The lines of text; of all else a word on what it is. */
export function DiffText({ shown: { change, lines } }: { shown: Shown }) {
  if (!("key" in change)) return <DiffLines body={valueLines(change.before, change.after)} />;
  if (lines === undefined) return null;
  const words = wordsFor(change.before, change.after, lines);
  return words === undefined ? <DiffLines body={diffBody(lines)} /> : <p className="faint diff-words">{words}</p>;
}

/** The lines of a unified diff, without its head. */
function DiffLines({ body }: { body: readonly string[] }) {
  if (body.length === 0) return null;
  const lines = shownDiff(body, MOST_LINES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre className="diff-lines" tabIndex={0}>
      {lines.map(({ kind, text, end }, index) => (
        <span key={index} className={kind}>
          {text === "" ? " " : text}
          {end !== undefined && <i>{end}</i>}
        </span>
      ))}
      {body.length > lines.length && <span className="hunk">… {count(body.length - lines.length, "more line")}</span>}
    </pre>
  );
}

type Stood = Extract<Shown["change"], { key: string }>["after"];

/** For a change that has no lines to show. */
function wordsFor(before: Stood, after: Stood, lines: string): string | undefined {
  const sizes = [before, after].flatMap((entry) =>
    entry === null || entry.kind === "dir" ? [] : [fileSize(entry.size)],
  );
  if (lines.split("\n").includes("GIT binary patch")) return `binary, ${sizes.join(" → ")}`;
  if (diffBody(lines).length > 0) return undefined;
  const modes = [before, after].flatMap((entry) => (entry?.kind === "file" ? [entry.mode.toString(8)] : []));
  if (before !== null && after !== null) return modes[0] === modes[1] ? undefined : `mode ${modes.join(" → ")}`;
  return "empty file";
}

/** Of a window or a setting: each of its parts that is another one, before and after. */
function valueLines(before: Json, after: Json): string[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => {
    const [old, young] = [was[name], is[name]];
    if (old === young) return [];
    const line = (sign: string, value: string | undefined) =>
      value === undefined ? [] : [`${sign}${name === "" ? "" : `${name}: `}${value}`];
    return [...line("-", old), ...line("+", young)];
  });
}

function partsOf(value: Json): Record<string, string> {
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) return { "": canonicalise(value) };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, canonicalise(part)]));
}

export function Counts({ lines }: { lines: string }) {
  const { added, removed } = diffCounts(lines);
  if (added + removed === 0) return null;
  return (
    <span className="mono diff-counts">
      <span className="added">+{added}</span> <span className="removed">−{removed}</span>
    </span>
  );
}

function kindOf({ change, from }: Shown): "new" | "gone" | "moved" | "changed" {
  if (from !== undefined) return "moved";
  if (change.before === null) return "new";
  return change.after === null ? "gone" : "changed";
}
