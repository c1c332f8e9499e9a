import { CheckCircle2, CircleAlert, Info, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { Notice, Notices } from "../desk/notices.ts";
import { useWatched } from "../watched.ts";

const MARKS = { said: Info, good: CheckCircle2, wrong: CircleAlert };

/** What the desk has to say, in the corner, for a while. */
export function Toasts({ notices }: { notices: Notices }) {
  const list = useWatched(notices.list).filter(({ fresh }) => fresh);
  return (
    <section className="toasts" aria-label="Notifications" aria-live="polite">
      {list.map((notice) => (
        <Toast key={notice.id} notice={notice} notices={notices} />
      ))}
    </section>
  );
}

function Toast({ notice, notices }: { notice: Notice; notices: Notices }) {
  const { id } = notice;
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const held = pointed || focused;
  useEffect(() => (held ? notices.hold(id) : undefined), [held, id, notices]);
  const dismiss = () => notices.dismiss(id);
  const hold = { onPointerEnter: () => setPointed(true), onPointerLeave: () => setPointed(false) };
  const keep = { onFocus: () => setFocused(true), onBlur: () => setFocused(false) };
  return (
    <div className="toast" data-kind={notice.kind} {...hold} {...keep}>
      <NoticeBody notice={notice} onDone={dismiss} />
      <button type="button" className="toast-close" aria-label="Dismiss" onClick={dismiss}>
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
      <span className="grow">
        <span className="notice-text">{text}</span>
        {progress !== undefined && <progress {...(progress !== "unknown" && { value: progress })} aria-label={text} />}
        {detail !== undefined && <span className="notice-detail">{detail}</span>}
      </span>
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
    </>
  );
}
