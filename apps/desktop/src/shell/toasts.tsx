import { CheckCircle2, CircleAlert, Info, X } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import type { Notice, Notices } from "../desk/notices.ts";
import { useWatched } from "../watched.ts";

const MARKS = { said: Info, good: CheckCircle2, wrong: CircleAlert };

/** So long after one went by a press no other is pressed: a click, or its double, was for what stood there before. */
const SETTLE_MS = 500;

/** What the desk has to say, in the corner, for a while. On a small screen only what it said last, in short: more would lie over what it speaks of. */
export function Toasts({ notices, isSmall }: { notices: Notices; isSmall: boolean }) {
  const fresh = useWatched(notices.list)
    .filter((one) => one.fresh)
    .sort((one, two) => one.at.getTime() - two.at.getTime());
  const went = useRef(Number.NEGATIVE_INFINITY);
  const settle = (event: MouseEvent) => {
    const isByKeys = event.detail === 0; // what has the keys is in sight before it is pressed
    if (!isByKeys && event.timeStamp < went.current + SETTLE_MS) event.stopPropagation();
  };
  const dismiss = (id: number) => {
    went.current = performance.now();
    notices.dismiss(id);
  };
  return (
    <section className="toasts" aria-label="Notifications" aria-live="polite" onClickCapture={settle}>
      {(isSmall ? fresh.slice(-1).map(inShort) : fresh).map((notice) => (
        <Toast key={notice.id} notice={notice} notices={notices} onDone={() => dismiss(notice.id)} />
      ))}
    </section>
  );
}

/** What it says for that; or of what was written, the last line. The history has the rest. */
function inShort({ brief, detail, ...notice }: Notice): Notice {
  const line = brief ?? detail?.split("\n").at(-1);
  return line === undefined ? notice : { ...notice, detail: line };
}

function Toast({ notice, notices, onDone }: { notice: Notice; notices: Notices; onDone(): void }) {
  const { id } = notice;
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const held = pointed || focused;
  useEffect(() => (held ? notices.hold(id) : undefined), [held, id, notices]);
  const hold = { onPointerEnter: () => setPointed(true), onPointerLeave: () => setPointed(false) };
  const keep = { onFocus: () => setFocused(true), onBlur: () => setFocused(false) };
  return (
    <div className="toast" data-kind={notice.kind} {...hold} {...keep}>
      <NoticeBody notice={notice} onDone={onDone} />
      <button type="button" className="toast-close" aria-label="Dismiss" onClick={onDone}>
        <X aria-hidden="true" size={14} />
      </button>
    </div>
  );
}

export function NoticeBody({ notice, onDone }: { notice: Notice; onDone(): void }) {
  const { action, detail, kind, progress, show, text } = notice;
  const Mark = MARKS[kind];
  return (
    <>
      <Mark aria-hidden="true" size={16} className={`notice-mark ${kind}`} />
      <div className="notice-body">
        <div className="notice-words">
          <p className="notice-text">{text}</p>
          {progress !== undefined && (
            <progress {...(progress !== "unknown" && { value: progress })} aria-label={text} />
          )}
          {detail !== undefined && (
            <p className="notice-detail" data-lines={detail.includes("\n")}>
              {detail}
            </p>
          )}
        </div>
        {(show !== undefined || action !== undefined) && (
          <div className="notice-deeds">
            {show !== undefined && (
              <button
                type="button"
                className="button"
                onClick={() => {
                  if (progress === undefined) onDone();
                  show.run();
                }}
              >
                {show.label}
              </button>
            )}
            {action !== undefined && (
              <button
                type="button"
                className="button"
                onClick={() => {
                  onDone();
                  action.run();
                }}
              >
                {action.label}
              </button>
            )}
          </div>
        )}
      </div>
    </>
  );
}
