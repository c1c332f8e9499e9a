import { useEffect, useEffectEvent, useRef, useState } from "react";
import { focusOn } from "../../focus.ts";
import { Watched } from "../../watched.ts";
import type { WindowHandle } from "../app.ts";
import { areKeysFree } from "../free-focus.ts";
import { CodeView } from "./code-view.ts";
import type { Session } from "./session.ts";

export interface Cursor {
  readonly line: number;
  readonly column: number;
  readonly selected: number;
}

/** What moves with every key: only who looks at it is drawn again. */
export class Moving {
  readonly cursor = new Watched<Cursor>({ line: 1, column: 1, selected: 0 });
  /** How far it is scrolled, from 0 to 1. */
  readonly share = new Watched(0);
  /** Grows with every change, by whomever. */
  readonly changes = new Watched(0);
}

/** The paper that a session is written on, in `host`. */
export function useCode(session: Session, file: string, window: Pick<WindowHandle, "inFront" | "takeEarly">) {
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<CodeView>();
  const [moving] = useState(() => new Moving());
  const early = useEffectEvent(window.takeEarly);
  /** Its window has the keys, or should, as nobody has them. */
  const hasKeys = useEffectEvent((host: HTMLElement) => {
    const has = host.closest(".window")?.contains(document.activeElement) === true;
    return has || (window.inFront && areKeysFree(host));
  });

  useEffect(() => {
    const { current } = host;
    if (current === null) return;
    const code = new CodeView(current, session, {
      typed: () => session.typed(),
      mixed: (mixed) => session.mixes(mixed),
      save: () => void session.save(),
      choose: (...choice) => session.choose(...choice),
      changed: () => moving.changes.set(moving.changes.get() + 1),
      at: (line, column, selected) => moving.cursor.set({ line, column, selected }),
      scrolled: (share) => moving.share.set(share),
    });
    const detach = session.attach(code);
    setView(code);
    code.type(early());
    if (hasKeys(current)) focusOn(current);
    return () => {
      detach();
      code.end();
      setView(undefined);
    };
  }, [session, moving]);

  useEffect(() => view?.speak(file), [view, file]);
  return { host, view, moving };
}
