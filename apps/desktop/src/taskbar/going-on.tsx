import { Loader } from "lucide-react";
import { useRef, useState } from "react";
import { isGoingOn, type Notices } from "../desk/notices.ts";
import { NoticeBody } from "../shell/toasts.tsx";
import { useWatched } from "../watched.ts";
import { useLeave } from "./use-leave.ts";

/** What isn't over and is out of sight otherwise: how many there are, and a list with how far each is and how to stop it. */
export function GoingOn({ notices }: { notices: Notices }) {
  const list = useWatched(notices.list).filter((one) => isGoingOn(one) && !one.fresh);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useLeave(place, open, () => setOpen(false));
  const last = list.at(-1);
  if (last === undefined) return null;
  return (
    <div ref={place} className="asks">
      <button
        type="button"
        className="chip going-on"
        aria-expanded={open}
        aria-label={`Going on: ${list.length === 1 ? last.text : list.length}`}
        title={last.text}
        onClick={() => setOpen((now) => !now)}
      >
        <Loader aria-hidden="true" size={14} />
        <span className="chip-text">{last.text}</span>
        {list.length > 1 && <b>{list.length}</b>}
      </button>
      {open && (
        <section className="notices asks-list" aria-label="What isn't over">
          <header>
            <h2>Going on</h2>
          </header>
          <ul>
            {list.toReversed().map((notice) => (
              <li key={notice.id}>
                <NoticeBody notice={notice} onDone={() => setOpen(false)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
