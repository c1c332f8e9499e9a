import { type DragEvent, type FocusEvent, type KeyboardEvent, useEffect, useState } from "react";
import { aboutLines, aboutPaths } from "../../asks/about-words.ts";
import { sentence } from "../../desk/problem.ts";
import { focusOn } from "../../focus.ts";
import { isFromHost, uploadDropped } from "../../shell/upload.ts";
import { useWatched } from "../../watched.ts";
import { useWidth } from "../../width.ts";
import { COMMAND_KEY } from "../../words.ts";
import type { AppProps } from "../app.ts";
import { Banners } from "./banners.tsx";
import { isProse, languageOf } from "./language-of.ts";
import { nameOf } from "./names.ts";
import { Preview } from "./preview.tsx";
import type { Session } from "./session.ts";
import { StatusLine } from "./status-line.tsx";
import { isWrittenAlike } from "./text-file.ts";
import { ToolBar } from "./tool-bar.tsx";
import { useChoices } from "./use-choices.ts";
import { useCode } from "./use-code.ts";
import { type Against, type Earlier, useCompared } from "./use-compared.ts";
import { Versions } from "./versions.tsx";

interface TextWindowParts extends AppProps {
  readonly file: string;
  readonly session: Session;
}

/** Up to here there is room for the preview or the versions, as the style sheet has it. */
const NARROW = 600;

/** One text, what is known about it, and what can be done with it. */
export function TextWindow({ window, desk, file, session }: TextWindowParts) {
  const state = useWatched(session.state);
  const code = useCode(session, file, window);
  const [root, width] = useWidth<HTMLDivElement>();
  const isMarkdown = languageOf(file)?.name === "Markdown";
  const hasVersions = window.args.versions === true;
  const hasPreview = isMarkdown && window.args.preview === true && !(width <= NARROW && hasVersions);
  const isCovered = hasPreview && width <= NARROW;
  const [wraps, setWraps] = useState(() => isProse(file));
  const { against, earlier, compare, problem } = useCompared(desk, file, code.view);
  const name = nameOf(file);
  const { setTitle, hold, onClose } = window;

  useEffect(() => setTitle(name), [name]);
  useEffect(
    () =>
      onClose(async () => {
        const saved = await session.close();
        if (!saved)
          desk.notify({ text: `“${name}” isn't saved: what you typed is kept in this browser`, kind: "wrong" });
        return true;
      }),
    [session, name, desk],
  );

  useEffect(
    () =>
      hold(() => {
        const { saving, open } = session.state.get();
        return (saving !== "saved" && saving !== "shown") || open > 0;
      }),
    [session],
  );

  const save = () => void session.save();
  const toggle = (what: "preview" | "versions", on: boolean) => {
    const gives = what === "preview" && on && width <= NARROW ? { versions: false } : {};
    window.setArgs({ ...window.args, ...gives, [what]: on });
  };
  const wrap = (on: boolean) => {
    setWraps(on);
    code.view?.wrap(on);
  };
  const showChoice = useChoices({
    view: code.view,
    state,
    isCovered,
    uncover: () => toggle("preview", false),
  });
  const keys = (event: KeyboardEvent) => {
    if (event.key === "F8" && state.open > 0) {
      event.preventDefault();
      showChoice(event.shiftKey ? "back" : "next");
    }
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!command || event.defaultPrevented || (event.key !== "s" && event.key !== "f")) return;
    event.preventDefault();
    if (event.key === "s") save();
    else code.view?.find();
  };
  // Later, as it may be that what had the keys goes while the text is being drawn, and can't be changed.
  const left = ({ relatedTarget }: FocusEvent) =>
    root.current?.contains(relatedTarget) === true || queueMicrotask(() => session.leave());
  /** Before what was pressed goes, and the keys with it. */
  const toText = () => (isCovered ? focusOn(root.current?.closest<HTMLElement>(".window")) : code.view?.focus());
  const stopComparing = () => {
    toText();
    compare(undefined);
  };
  const closeVersions = () => {
    toText();
    toggle("versions", false);
  };
  const bringBack = async ({ seq }: Against, { version, writing }: Earlier) => {
    const text = `${name} is as it was`;
    const isEdit = !session.state.get().gone && isWrittenAlike(writing, session.writing);
    const saved = session.save(); // what was typed before is a version too, unless another is on its way by now
    if (isEdit) {
      session.replace(version.text);
      desk.notify({ text, kind: "good", detail: `${COMMAND_KEY} Z in the text takes it back.` });
    }
    stopComparing();
    if (isEdit) return;
    try {
      await saved;
      desk.notifyDone(text, await desk.files.restore(file, seq)); // an edit can't make that of it
    } catch (error) {
      desk.notify({ text: sentence(error), kind: "wrong" });
    }
  };
  /** It comes in as anywhere on the desktop; the text would take what is in it, or drop it without a word. */
  const drop = (event: DragEvent) => {
    if (!isFromHost(event)) return;
    event.preventDefault();
    void uploadDropped(desk, event.dataTransfer);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that work wherever one is in this window
    <div ref={root} className="editor" onKeyDown={keys} onBlur={left} onDropCapture={drop}>
      <ToolBar
        {...{ desk, file, isMarkdown, hasPreview, hasVersions, wraps, toggle }}
        onWrap={wrap}
        onFind={() => code.view?.find()}
        onAsk={() => {
          const lines = code.view?.selectedLines();
          desk.asks.begin(lines === undefined ? aboutPaths([file]) : aboutLines(file, lines));
        }}
      />
      <Banners
        {...{ session, state, against, problem, toText }}
        onShow={() => showChoice("next")}
        onBringBack={against && earlier && (() => bringBack(against, earlier))}
        onStop={stopComparing}
      />
      <div className="ed-panes">
        <div ref={code.host} className="ed-code" data-first="" />
        {hasPreview && code.view !== undefined && <Preview {...{ desk, file }} view={code.view} moving={code.moving} />}
        {hasVersions && <Versions {...{ desk, file, against, compare }} onClose={closeVersions} />}
      </div>
      <StatusLine
        {...{ state, file }}
        cursor={code.moving.cursor}
        writing={session.writing}
        onAgain={() => {
          toText();
          save();
        }}
        onUnify={() => {
          code.view?.unifyEnds();
          save();
        }}
      />
    </div>
  );
}
