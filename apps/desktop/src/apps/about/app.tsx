import "./about.css";
import { useEffect, useState } from "react";
import { useWatched } from "../../watched.ts";
import { count, dayAndTime, number } from "../../words.ts";
import type { AppProps } from "../app.ts";

/** What this computer is, in a few lines that move by themselves. */
export default function About({ desk }: AppProps) {
  const connection = useWatched(desk.connection);
  const calls = useWatched(desk.calls);
  const [head, setHead] = useState(() => desk.head());
  const [since, setSince] = useState<string>();

  useEffect(() => desk.follow(() => setHead(desk.head()), () => setHead(desk.head())), [desk]); // biome-ignore format: in one line
  useEffect(() => {
    const ended = new AbortController();
    const onItem = ({ event }: { event: { ts: string } }) => setSince(event.ts);
    desk.events({ from: 1, to: 1 }, { signal: ended.signal, onItem }).catch(() => {}); // it is only not shown
    return () => ended.abort();
  }, [desk]);

  const lines = [
    ["Computer", desk.computer],
    ["Begun", since === undefined ? "…" : dayAndTime(since)],
    ["Events", number.format(head)],
    ["Running", calls.size === 0 ? "nothing" : count(calls.size, "command")],
    ["Connection", connection === "live" ? "live" : "being restored"],
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: where there is more of it than fits, the arrows scroll it
    <div className="about" tabIndex={0}>
      <svg className="about-mark" width="56" height="56" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="7" />
        <path d="M2 10.5 6.2 7.6 8.4 9 14 4.6" />
      </svg>
      <h3>ChoirOS</h3>
      <p className="soft">Everything that happens here is kept, and can be undone.</p>
      <dl>
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
