import { useCallback, useEffect, useRef, useState } from "react";
import { askForDrafts } from "../../console.ts";
import type { DeskApi } from "../../desk/api.ts";
import { placeAfter } from "../../desk/place-after.ts";
import { placeNow } from "../../desk/place-now.ts";
import { sentence } from "../../desk/problem.ts";
import type { Moment } from "../../desk/socket.ts";
import { Drafts } from "./drafts.ts";
import { type Loaded, load } from "./load.ts";
import { Session } from "./session.ts";

export type NoTextLoaded =
  | Exclude<Loaded, { is: "text" }>
  | { readonly is: "folder" }
  | { readonly is: "failed"; readonly words: string };
export type Opened = { readonly is: "loading" } | { readonly is: "text"; readonly session: Session } | NoTextLoaded;

/** What stands at a path, as long as somebody looks at it; a file that is moved is followed. */
export function useOpened(desk: DeskApi, key: string, onMoved: (key: string) => void) {
  const [opened, setOpened] = useState<Opened>({ is: "loading" });
  const [round, setRound] = useState(0);
  const session = useRef<Session>(undefined);
  const moved = useRef(onMoved);
  moved.current = onMoved;
  const again = useCallback(() => {
    setOpened((now) => (now.is === "failed" ? { is: "loading" } : now));
    setRound((now) => now + 1);
  }, []);

  useEffect(() => {
    if (session.current?.key === key) return; // it is the same file under another name
    session.current?.end();
    session.current = undefined;
    setOpened({ is: "loading" });
    const ended = new AbortController();
    open(desk, key, ended.signal).then(
      (next) => {
        if (ended.signal.aborted) return next.is === "text" ? next.session.end() : undefined;
        if (next.is === "moved") return moved.current(next.to);
        if (next.is === "text") session.current = next.session;
        setOpened(next);
      },
      (error: unknown) => ended.signal.aborted || setOpened({ is: "failed", words: sentence(error) }),
    );
    return () => ended.abort();
  }, [desk, key, round]);

  useEffect(() => () => session.current?.end(), []);
  useEffect(() => (opened.is === "text" ? undefined : desk.files.watch(key, again)), [desk, key, opened.is, again]);

  useEffect(() => {
    const heard = (moments: readonly Moment[]) => {
      const to = placeAfter(moments, key);
      if (to === key) return;
      session.current?.moved(to);
      moved.current(to);
    };
    return desk.follow(heard);
  }, [desk, key]);

  return { opened, again };
}

/** One for all windows. */
const drafts = new Drafts(askForDrafts);

type Found = Exclude<Opened, { is: "loading" }> | { readonly is: "moved"; readonly to: string };

async function open(desk: DeskApi, key: string, signal: AbortSignal): Promise<Found> {
  const isNow = async (former: string) => (await placeNow(desk, former)) === key;
  const [loaded, left] = await Promise.all([
    load(desk.files, key, { signal }),
    drafts.left(key, isNow).catch(() => []),
  ]);
  if (loaded.is !== "text") return loaded;
  const isFile = loaded.version.hash !== null;
  if (!isFile && left.length === 0 && (await isFolder(desk, key).catch(() => false))) return { is: "folder" };
  const to = isFile ? undefined : await placeNow(desk, key).catch(() => undefined);
  if (to !== undefined && to !== key) return { is: "moved", to }; // while nobody was here to see it
  const { version, writing } = loaded;
  return { is: "text", session: new Session(desk, drafts, { key, version, writing, left }) };
}

/** A link of a document, or an agent, says of nothing what it is. */
async function isFolder(desk: DeskApi, key: string): Promise<boolean> {
  const [newest] = await desk.files.history(key);
  return newest?.entry?.kind === "dir";
}
