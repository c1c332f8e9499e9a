import { type Path, pathKey, shownKey } from "@choiros/contract";
import { useState } from "react";
import { AskMark } from "../../asks/ask-mark.tsx";
import type { Ask } from "../../asks/ask-rows.ts";
import {
  costWords,
  durationWords,
  isBusy,
  isOpen,
  standWords,
  tokenWords,
  unlimitedWords,
} from "../../asks/ask-words.ts";
import type { DeskApi } from "../../desk/api.ts";
import { dayAndTime } from "../../words.ts";
import { workedMs } from "./clock.ts";
import { useContent } from "./content.tsx";
import type { Course } from "./course.ts";
import { Folded } from "./folded.tsx";

interface HeadParts {
  readonly desk: DeskApi;
  readonly ask: Ask;
  readonly course: Course;
  readonly now: number;
  /** The one that went on with it. */
  readonly after: Ask | undefined;
  onShow(ask: string): void;
}

/** What was asked, how it stands, and what it came to so far. */
export function Head({ desk, ask, course, now, after, onShow }: HeadParts) {
  const payload = course.first?.event.payload;
  const isLong = payload !== undefined && typeof payload.text !== "string";
  const long = useContent(desk, { seq: isLong ? course.first?.event.seq : undefined, part: "content", from: 0 });
  const text = typeof payload?.text === "string" ? payload.text : (long.text ?? ask.title);
  const worked = workedMs(course.worked, now);
  const cost = costWords(ask);
  const unlimited = unlimitedWords(ask);
  return (
    <header className="course-head">
      <h3>
        <Folded text={text} most={160} />
      </h3>
      <p className="course-facts">
        <span className="course-stand">
          <AskMark status={ask.taken !== undefined && !isOpen(ask) ? "withdrawn" : ask.status} />
          <span className={isBusy(ask) ? "gold-text" : ""}>{standWords(ask)}</span>
        </span>
        {worked > 0 && <span className="mono">{durationWords(worked)}</span>}
        {cost !== undefined && (
          <span className="mono" title={tokenWords(ask)}>
            {cost}
          </span>
        )}
        {unlimited !== undefined && <span className="faint">{unlimited}</span>}
        <time className="faint" dateTime={ask.since}>
          {dayAndTime(ask.since)}
        </time>
      </p>
      <Files desk={desk} paths={pathsOf(payload?.paths)} />
      {after !== undefined && (
        <button type="button" className="word course-before" onClick={() => onShow(after.id)}>
          went on with “{after.title}”
        </button>
      )}
    </header>
  );
}

/** So many are named before somebody wants all. */
const FEW = 5;

/** Files that lead there. */
export function Files({ desk, paths }: { desk: DeskApi; paths: readonly Path[] }) {
  const [all, setAll] = useState(false);
  if (paths.length === 0) return null;
  const shown = all ? paths : paths.slice(0, FEW);
  return (
    <ul className="course-files">
      {shown.map((path) => {
        const key = pathKey(path);
        return (
          <li key={key}>
            <button type="button" className="mono" onClick={() => desk.openFile(key)}>
              {shownKey(key)}
            </button>
          </li>
        );
      })}
      {shown.length < paths.length && (
        <li>
          <button type="button" className="word" onClick={() => setAll(true)}>
            and {paths.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}

function pathsOf(paths: unknown): Path[] {
  return Array.isArray(paths) ? paths.filter((path): path is Path => typeof path === "string") : [];
}
