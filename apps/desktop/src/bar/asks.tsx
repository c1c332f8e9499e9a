import { MessageCircleQuestion } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import type { Desk } from "../desk/desk.ts";
import type { PostedNotice } from "../desk/notices.ts";
import { sentence } from "../desk/problem.ts";
import { Outcome } from "../desk/shapes.ts";
import { useLeave } from "../taskbar/use-leave.ts";
import { useWatched } from "../watched.ts";
import { dayAndTime } from "../words.ts";
import { type Asked, askedIn, waitingOf, withdrawal } from "./asked.ts";
import { explainAsks, NOBODY, tellNobody } from "./no-model.ts";

export interface Asks {
  /** What was asked before, the newest first. */
  readonly texts: readonly string[];
  /** What nobody has taken on, the newest first. */
  readonly waiting: readonly Asked[];
  say(text: string, paths: readonly string[]): Promise<void>;
  takeBack(asked: Asked): Promise<void>;
}

/** What people want of the Director. Who answers comes with the agents: here it is appended, and shown as waiting. */
export function useAsks(desk: Desk, api: DeskApi): Asks {
  const messages = useWatched(desk.messages);
  const settings = useWatched(desk.settings);
  const tasks = useWatched(desk.tasks);
  const asked = useMemo(() => askedIn(messages), [messages]);
  const texts = useMemo(() => [...new Set(asked.map(({ text }) => text))], [asked]);
  const told = useRef<PostedNotice>(undefined);
  const tried = useCallback(
    async (doing: Promise<void>) => doing.catch((error) => void api.notify({ text: sentence(error), kind: "wrong" })),
    [api],
  );
  const say = useCallback(
    (text: string, paths: readonly string[]) => {
      const append = async () => {
        const outcome = Outcome.parse(await desk.do("say", { text, ...(paths.length > 0 && { paths }) }));
        told.current?.dismiss(); // it is said once
        told.current = api.notify(outcome.ok ? tellNobody(api) : { text: outcome.message, kind: "wrong" });
      };
      return tried(append());
    },
    [desk, api, tried],
  );
  const takeBack = useCallback(
    ({ id }: Asked) => {
      const withdraw = async () =>
        api.notifyDone("The ask is taken back", await api.settings.change({ [withdrawal(id)]: true }));
      return tried(withdraw());
    },
    [api, tried],
  );
  return { texts, waiting: waitingOf(asked, settings, tasks), say, takeBack };
}

/** What waits, in the taskbar: the newest of them, how many there are, and a list to open. */
export function AskChip({ asks, api }: { asks: Asks; api: DeskApi }) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useLeave(place, open, () => setOpen(false));
  const { waiting } = asks;
  const [newest] = waiting;
  if (newest === undefined) return null;
  return (
    <div ref={place} className="asks">
      <button
        type="button"
        className="chip"
        aria-expanded={open}
        title={newest.text}
        onClick={() => setOpen((now) => !now)}
      >
        <MessageCircleQuestion aria-hidden="true" size={14} />
        <span className="sr-only">Asks that wait: {waiting.length}</span>
        <span className="chip-text">{newest.text}</span>
        {waiting.length > 1 && <b>{waiting.length}</b>}
      </button>
      {open && (
        <section className="notices asks-list" aria-label="Asks that wait">
          <header>
            <h2>Asks that wait</h2>
            <button type="button" className="button quiet" onClick={() => explainAsks(api)}>
              What works now
            </button>
          </header>
          <p className="asks-why soft">{NOBODY}</p>
          <ul>
            {waiting.map((one) => (
              <OneAsk key={one.id} asked={one} api={api} onTakeBack={() => void asks.takeBack(one)} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function OneAsk({ asked: { paths, text, ts }, api, onTakeBack }: { asked: Asked; api: DeskApi; onTakeBack(): void }) {
  return (
    <li>
      <span className="grow">
        <span className="notice-text">{text}</span>
        {paths.map((path) => (
          <button key={path} type="button" className="asks-file" onClick={() => api.openFile(path)}>
            {path}
          </button>
        ))}
        <time className="faint" dateTime={ts}>
          {dayAndTime(ts)}
        </time>
      </span>
      <button type="button" className="button" onClick={onTakeBack}>
        Take back
      </button>
    </li>
  );
}
