import { freeName, pathKey, recognise } from "@choiros/contract";
import { FilePlus2, FileText } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Moment } from "../../desk/socket.ts";
import { focusOn } from "../../focus.ts";
import { SearchField } from "../../shown/search-field.tsx";
import type { WindowHandle } from "../app.ts";
import { useFreeFocus } from "../free-focus.ts";
import { folderOf, nameOf, wayTo } from "./names.ts";

interface StartParts extends Pick<WindowHandle, "inFront" | "takeEarly"> {
  readonly desk: DeskApi;
  onOpen(key: string): void;
}

/** Files, and by which words; of late by none. */
interface Listed {
  readonly by: string;
  readonly keys: readonly string[];
}

const FOUND = 20;
const RECENT = 8;
const LOOKED_AT = 200;

/** An editor with nothing in it: something new, something of late, or whatever can be found. */
export function Start({ desk, inFront, takeEarly, onOpen }: StartParts) {
  const [text, setText] = useState("");
  const [wantsFirst, setWantsFirst] = useState(false);
  const [isMaking, setIsMaking] = useState(false);
  const recent = useRecent(desk);
  const found = useFound(desk, text.trim(), (error) => {
    if (!wantsFirst) return;
    desk.notify({ text: sentence(error), kind: "wrong" });
    giveBack();
  });
  const listed = found ?? recent;
  const field = useRef<HTMLInputElement>(null);
  const early = useEffectEvent(takeEarly);

  /** Its window, where that has the keys. */
  const keyed = () => {
    const frame = field.current?.closest<HTMLElement>(".window");
    return frame?.contains(document.activeElement) === true ? frame : undefined;
  };
  const hasKeys = useEffectEvent(() => keyed() !== undefined);
  useFreeFocus(field, inFront);
  useEffect(() => {
    setText(early());
    if (hasKeys()) focusOn(field.current);
  }, []);
  /** What has the keys goes with this page: whoever types on writes into the file. */
  const open = (key: string) => {
    focusOn(keyed());
    onOpen(key);
  };
  /** This window is the new document's from the press on, with what is typed since. */
  const choose = (key: string) => (isMaking ? desk.openFile(key, "file", "editor") : open(key));

  const isListed = listed?.by === text.trim();
  const openFirst = useEffectEvent(() => {
    const [first] = listed?.keys ?? [];
    if (first === undefined) return giveBack();
    setWantsFirst(false);
    choose(first);
  });
  useEffect(() => {
    if (wantsFirst && isListed) openFirst();
  }, [wantsFirst, isListed]);
  const search = (words: string) => {
    setText(wantsFirst ? words + takeEarly() : words);
    setWantsFirst(false);
  };
  /** No file comes: what was typed for it is in sight, and in no other one. */
  const giveBack = () => {
    setWantsFirst(false);
    setIsMaking(false);
    const typed = takeEarly();
    setText((now) => now + typed);
    if (keyed() !== undefined) focusOn(field.current);
  };
  const openFound = () => {
    focusOn(keyed()); // what is typed on is for the file
    setWantsFirst(true);
  };

  const isHere = () => field.current !== null;
  const notMade = (words: string) => {
    desk.notify({ text: words, kind: "wrong" });
    if (isHere()) giveBack();
  };
  const make = async () => {
    setIsMaking(true);
    setWantsFirst(false);
    focusOn(keyed());
    try {
      const lines = await desk.files.list("workspace");
      const key = freeName("workspace/Untitled.md", new Set(lines.map((line) => line.key)));
      const outcome = await desk.files.arrange([{ file: { key } }]);
      if (!outcome.ok) notMade(outcome.message);
      else if (isHere()) open(key);
    } catch (error) {
      notMade(sentence(error));
    }
  };

  return (
    <div className="editor ed-start" aria-busy={isMaking || wantsFirst}>
      <div className="ed-start-head">
        <SearchField
          hint="Find a file"
          words={text}
          field={field}
          onWords={search}
          onKeyDown={({ key }) => key === "Enter" && openFound()}
        />
        <button type="button" className="button gold" disabled={isMaking} onClick={() => void make()}>
          <FilePlus2 aria-hidden="true" size={14} />
          New document
        </button>
      </div>
      <h3 className="faint">{found === undefined ? "Of late" : "Found"}</h3>
      <ul>
        {listed?.keys.map((key) => (
          <li key={key}>
            <button type="button" onClick={() => choose(key)}>
              <FileText aria-hidden="true" size={15} />
              <span>{nameOf(key)}</span>
              <span className="ed-where faint">{wayTo(folderOf(key))}</span>
            </button>
          </li>
        ))}
      </ul>
      {listed?.keys.length === 0 && (
        <p className="soft empty">
          {found === undefined
            ? "Nothing was written yet. Make a new document."
            : "No file has these words in its name."}
        </p>
      )}
    </div>
  );
}

/** `undefined` while nothing is asked for. */
function useFound(desk: DeskApi, text: string, onMissed: (error: unknown) => void): Listed | undefined {
  const [found, setFound] = useState<Listed>();
  const missed = useEffectEvent(onMissed);
  useEffect(() => {
    if (text === "") return setFound(undefined);
    const ended = new AbortController();
    desk.files.find(text, FOUND, { signal: ended.signal }).then(
      (lines) => {
        const keys = lines.filter(({ entry }) => entry.kind === "file").map(({ key }) => key);
        if (!ended.signal.aborted) setFound({ by: text, keys });
      },
      (error: unknown) => ended.signal.aborted || missed(error), // what was found before stays
    );
    return () => ended.abort();
  }, [desk, text]);
  return found;
}

/** The files that were written last, and are still there. */
function useRecent(desk: DeskApi): Listed | undefined {
  const [recent, setRecent] = useState<Listed>();
  useEffect(() => {
    const ended = new AbortController();
    const keys = new Set<string>();
    const gone = new Set<string>();
    const onItem = ({ event }: Moment) => {
      const known = recognise(event);
      if (!known.ok || known.value.type !== "file.write" || !("changes" in known.value.payload)) return;
      for (const change of known.value.payload.changes) {
        const key = pathKey(change.path);
        if (!gone.has(key) && change.after?.kind === "file") keys.add(key);
        gone.add(key);
      }
    };
    const query = { newest: true, limit: LOOKED_AT, type: ["file.write"] };
    desk.events(query, { signal: ended.signal, onItem }).then(
      () => setRecent({ by: "", keys: [...keys].slice(0, RECENT) }),
      () => ended.signal.aborted || setRecent({ by: "", keys: [] }),
    );
    return () => ended.abort();
  }, [desk]);
  return recent;
}
