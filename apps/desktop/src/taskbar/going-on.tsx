import { Loader } from "lucide-react";
import { isGoingOn, type Notices } from "../desk/notices.ts";
import { NoticeBody } from "../shell/toasts.tsx";
import { useWatched } from "../watched.ts";
import { Chip } from "./chip.tsx";

/** What isn't over and is out of sight otherwise: how many there are, and a list with how far each is and how to stop it. */
export function GoingOn({ notices }: { notices: Notices }) {
  const list = useWatched(notices.list).filter((one) => isGoingOn(one) && !one.fresh);
  const last = list.at(-1);
  if (last === undefined) return null;
  return (
    <Chip
      className="chip going-on"
      icon={<Loader aria-hidden="true" size={14} />}
      text={last.text}
      count={list.length}
      what="Going on"
      title={last.text}
      list={(leave) => (
        <section className="notices asks-list" aria-label="What isn't over">
          <header>
            <h2>Going on</h2>
          </header>
          <ul>
            {list.toReversed().map((notice) => (
              <li key={notice.id}>
                <NoticeBody notice={notice} onDone={leave} />
              </li>
            ))}
          </ul>
        </section>
      )}
    />
  );
}
