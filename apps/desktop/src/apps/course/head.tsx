import { type Path, pathKey, shownKey } from "@choiros/contract";
import { AskMark } from "../../asks/ask-mark.tsx";
import type { Ask } from "../../asks/ask-rows.ts";
import { costWords, durationWords, isAtWork, statusWords, tokenWords } from "../../asks/ask-words.ts";
import type { DeskApi } from "../../desk/api.ts";
import { dayAndTime } from "../../words.ts";
import { useContent } from "./content.tsx";
import type { Course } from "./course.ts";
import { Folded } from "./folded.tsx";

interface HeadParts {
  readonly desk: DeskApi;
  readonly ask: Ask;
  readonly course: Course;
  readonly now: number;
  /** The ask that it goes on with, and the one that went on with it. */
  readonly before: Ask | undefined;
  readonly after: Ask | undefined;
  onShow(ask: string): void;
}

/** What was asked, how it stands, and what it came to so far. */
export function Head({ desk, ask, course, now, before, after, onShow }: HeadParts) {
  const payload = course.first?.event.payload;
  const isLong = payload !== undefined && typeof payload.text !== "string";
  const long = useContent(desk, { seq: isLong ? course.first?.event.seq : undefined, part: "content", from: 0 });
  const text = typeof payload?.text === "string" ? payload.text : (long.text ?? ask.title);
  const worked = course.workedMs + (course.workingSince !== undefined ? now - Date.parse(course.workingSince) : 0);
  const cost = costWords(ask);
  return (
    <header className="course-head">
      {before !== undefined && (
        <button type="button" className="word course-before" onClick={() => onShow(before.id)}>
          goes on with “{before.title}”
        </button>
      )}
      <h3>
        <Folded text={text} most={160} />
      </h3>
      <p className="course-facts">
        <AskMark status={ask.status} />
        <span className={isAtWork(ask) ? "gold-text" : ""}>{statusWords(ask.status)}</span>
        {worked > 0 && <span className="mono">{durationWords(worked)}</span>}
        {cost !== undefined && (
          <span className="mono" title={tokenWords(ask)}>
            {cost}
          </span>
        )}
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

/** Files that lead there. */
export function Files({ desk, paths }: { desk: DeskApi; paths: readonly Path[] }) {
  if (paths.length === 0) return null;
  return (
    <ul className="course-files">
      {paths.map((path) => {
        const key = pathKey(path);
        return (
          <li key={key}>
            <button type="button" className="mono" onClick={() => desk.openFile(key)}>
              {shownKey(key)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function pathsOf(paths: unknown): Path[] {
  return Array.isArray(paths) ? paths.filter((path): path is Path => typeof path === "string") : [];
}
