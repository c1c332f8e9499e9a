import { Inbox } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Notices } from "../desk/notices.ts";
import { NoticeBody } from "../shell/toasts.tsx";
import { useWatched } from "../watched.ts";
import { shortTime } from "../words.ts";
import { useLeave } from "./use-leave.ts";

/** What was said so far, the newest first. */
export function NoticeHistory({ notices }: { notices: Notices }) {
  const list = useWatched(notices.list);
  const last = list.at(-1)?.id ?? 0;
  const [open, setOpen] = useState(false);
  const [seen, setSeen] = useState(0);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    setSeen(last);
    notices.readAll();
  }, [open, last, notices]);
  useLeave(place, open, () => setOpen(false));

  return (
    <div ref={place}>
      <button
        type="button"
        className="tray-button"
        aria-label="Notifications"
        aria-expanded={open}
        data-new={list.some(({ id, past }) => id > seen && past !== true)}
        onClick={() => setOpen((now) => !now)}
      >
        <Inbox aria-hidden="true" size={16} />
      </button>
      {open && (
        <section className="notices" aria-label="Notifications so far">
          <header>
            <h2>Notifications</h2>
            <button type="button" className="button quiet" disabled={list.length === 0} onClick={() => notices.clear()}>
              Clear
            </button>
          </header>
          {list.length === 0 && <p className="empty soft">Nothing yet. What the desk has to say is kept here.</p>}
          <ul>
            {list.toReversed().map((notice) => (
              <li key={notice.id}>
                <NoticeBody notice={notice} onDone={() => setOpen(false)} />
                <time className="faint">{shortTime(notice.at)}</time>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
