import { parentKey } from "@choiros/contract";
import { FolderOpen, FolderX, RotateCw, SearchX, Upload, WifiOff } from "lucide-react";
import { type ClipboardEvent, type ReactNode, useRef } from "react";
import { ASK_INSTEAD, askInstead } from "../../asks/ask-instead.ts";
import type { DeskApi } from "../../desk/api.ts";
import { focusOn } from "../../focus.ts";
import { useWatched } from "../../watched.ts";
import { useFreeFocus } from "../free-focus.ts";
import type { Actions } from "./actions.ts";
import type { useDrops } from "./drops.ts";
import type { Seen } from "./folder-view.ts";
import { shownName } from "./keys.ts";
import type { Place } from "./place.ts";

interface InsteadParts {
  readonly desk: DeskApi;
  readonly seen: Seen;
  readonly place: Place;
  readonly inFront: boolean;
  readonly actions: Actions;
  readonly drops: ReturnType<typeof useDrops>;
  pickFiles(folders: boolean): void;
  onGo(key: string, select?: string): void;
  onAgain(): void;
  onMenu(x: number, y: number): void;
  onClip(event: ClipboardEvent, as: "paste"): void;
}

/** Where there are no files to show: why, and what can be done about it. */
export function Instead(parts: InsteadParts) {
  const { seen, place, actions, drops, onGo, onAgain } = parts;
  const element = useRef<HTMLDivElement>(null);
  useFreeFocus(element, parts.inFront);
  const connection = useWatched(parts.desk.connection);
  const up = parentKey(place.key);
  /** Before a button goes with what it does, and the keys with it. */
  const toRoom = () => focusOn(element.current);
  const paste = (event: ClipboardEvent) => parts.onClip(event, "paste");
  const room = (children: ReactNode, folder?: string) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is done here by pointer, the toolbar does by keys
    <div
      ref={element}
      className="files-room files-instead"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is pasted goes to where the keys are
      tabIndex={0}
      data-target={folder !== undefined && drops.target === folder}
      onPaste={paste}
      onContextMenu={(event) => {
        event.preventDefault();
        parts.onMenu(event.clientX, event.clientY);
      }}
      {...drops.dropProps(() => folder)}
    >
      {children}
    </div>
  );
  switch (seen.is) {
    case "coming":
      if (connection === "live")
        return <div ref={element} className="files-room files-coming" tabIndex={-1} onPaste={paste} />;
      return room(
        <>
          <WifiOff aria-hidden="true" size={28} strokeWidth={1.4} />
          <p role="status">What is in it is shown once the connection is back.</p>
        </>,
      );
    case "wrong":
      return room(
        <>
          <WifiOff aria-hidden="true" size={28} strokeWidth={1.4} />
          <p role="alert">{seen.why}</p>
          <button
            type="button"
            className="button"
            onClick={() => {
              toRoom();
              onAgain();
            }}
          >
            <RotateCw aria-hidden="true" size={14} />
            Try again
          </button>
        </>,
      );
    case "gone":
      return room(
        <>
          <FolderX aria-hidden="true" size={28} strokeWidth={1.4} />
          <p>{seen.file ? `${shownName(place.key)} is a file.` : `${shownName(place.key)} isn't there.`}</p>
          {up !== undefined && (
            <button
              type="button"
              className="button"
              onClick={() => {
                toRoom();
                onGo(up, place.key);
              }}
            >
              Go to {shownName(up)}
            </button>
          )}
        </>,
      );
    default:
      if (place.find !== undefined)
        return room(
          <>
            <SearchX aria-hidden="true" size={28} strokeWidth={1.4} />
            <p>No file or folder has a name with “{place.find}”.</p>
            <button type="button" className="button" onClick={() => void askInstead(parts.desk, `find ${place.find}`)}>
              {ASK_INSTEAD}
            </button>
          </>,
        );
      return room(
        <>
          <FolderOpen aria-hidden="true" size={28} strokeWidth={1.4} />
          <p>This folder is empty. Drop files here, or make the first one.</p>
          <div className="files-offers">
            <button type="button" className="button" onClick={() => void actions.newFile()}>
              New file
            </button>
            <button type="button" className="button" onClick={() => parts.pickFiles(false)}>
              <Upload aria-hidden="true" size={14} />
              Upload
            </button>
          </div>
        </>,
        place.key,
      );
  }
}
