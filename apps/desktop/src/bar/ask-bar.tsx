import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import { focusOn } from "../focus.ts";
import { carried, isCarried } from "../shell/carried.ts";
import { barWanted } from "../shell/keys.ts";
import { isFromHost, uploadDropped } from "../shell/upload.ts";
import { useWatched } from "../watched.ts";
import type { Windowing } from "../windows/windowing.ts";
import { COMMAND_KEY } from "../words.ts";
import { AskChip } from "./asks.tsx";
import { quoted } from "./completions.ts";
import { GoBack } from "./go-back.tsx";
import { OfferList, offerId } from "./offer-list.tsx";
import { useAsks } from "./use-asks.ts";
import { type Bar, type Open, useBar } from "./use-bar.ts";

interface BarParts {
  readonly windowing: Windowing;
  readonly api: DeskApi;
}

/** The one line in which everything can be said. What it suggests fills it, so that people learn the words. */
export function AskBar({ windowing, api }: BarParts) {
  const [open, setOpen] = useState<Open>("closed");
  const field = useRef<HTMLTextAreaElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const asks = useAsks(api);
  const bar = useBar({ api, windowing, asks, open, setOpen, field });
  const wanted = useWatched(barWanted);

  const take = useEffectEvent((words: string) => {
    bar.fill(words, "closed");
    // Once they stand there, and no more.
    requestAnimationFrame(() => {
      if (field.current?.value === words) field.current.setSelectionRange(words.length, words.length);
    });
  });
  useEffect(() => {
    if (wanted === undefined) return;
    if (wanted.text !== undefined) take(wanted.text);
    focusOn(field.current);
  }, [wanted]);
  const leave = useEffectEvent(({ target }: Event) => {
    if (!(target instanceof Node) || place.current?.contains(target) !== true) bar.close();
  });
  useEffect(() => {
    addEventListener("pointerdown", leave);
    return () => removeEventListener("pointerdown", leave);
  }, []);

  const leaveProposed = () => {
    bar.close();
    focusOn(field.current);
  };
  return (
    <div ref={place} className="ask">
      <button
        type="button"
        className="ask-menu"
        aria-label="What can be said here"
        aria-expanded={open === "menu"}
        onClick={() => {
          if (open === "menu") bar.close();
          else bar.fill(bar.text, "menu");
          focusOn(field.current);
        }}
      >
        ?
      </button>
      <div className="ask-field">
        <div className="ask-lines">
          {(bar.offers.length > 0 || bar.missing !== undefined) && (
            <div className="ask-panel">
              {bar.missing !== undefined && (
                <p className="ask-missing" role="alert">
                  {bar.missing}
                </p>
              )}
              <OfferList offers={bar.offers} active={bar.active} onChoose={bar.choose} />
            </div>
          )}
          {bar.proposed !== undefined && bar.offers.length === 0 && (
            <div className="ask-panel">
              <GoBack key={bar.proposed.moment.since} api={api} {...bar.proposed} onLeave={leaveProposed} />
            </div>
          )}
          <Field bar={bar} field={field} api={api} room={useWatched(windowing.screen).w} />
        </div>
        <kbd className="ask-key">{COMMAND_KEY} K</kbd>
      </div>
      <AskChip asks={asks} api={api} />
    </div>
  );
}

const MOST_LINES = 6;
const WORDS = "Ask for anything, or type a command";

interface FieldParts {
  readonly bar: Bar;
  readonly field: { current: HTMLTextAreaElement | null };
  readonly api: DeskApi;
  /** How wide the desk is: so many words fit. */
  readonly room: number;
}

function Field({ bar, field, api, room }: FieldParts) {
  const { active, offers, text } = bar;
  const isTaken = (event: DragEvent) => isFromHost(event) || isCarried(event.dataTransfer);
  const drop = async (event: DragEvent) => {
    if (!isTaken(event)) return;
    event.preventDefault();
    event.stopPropagation();
    focusOn(field.current); // not once they are here: somebody may be elsewhere by then
    const { dataTransfer } = event;
    const keys = isFromHost(event) ? await uploadDropped(api, dataTransfer) : carried(dataTransfer);
    if (keys.length === 0) return;
    const now = field.current?.value ?? ""; // somebody may have typed on meanwhile
    bar.type(`${now}${now === "" || now.endsWith(" ") ? "" : " "}${keys.map((key) => `@${quoted(key)} `).join("")}`);
  };
  return (
    <textarea
      ref={field}
      rows={Math.min(MOST_LINES, text.split("\n").length)}
      value={text}
      spellCheck={false}
      autoComplete="off"
      aria-label={WORDS}
      placeholder={room < 900 ? "Ask anything" : room < 1200 ? "Ask, or type a command" : WORDS}
      role="combobox"
      aria-expanded={offers.length > 0}
      aria-controls="offers"
      aria-autocomplete="list"
      aria-activedescendant={active >= 0 ? offerId(active) : undefined}
      onChange={({ target }) => bar.type(target.value)}
      onKeyDown={bar.onKeyDown}
      onCompositionStart={bar.onComposition}
      onCompositionEnd={bar.onComposition}
      onDragOver={(event) => isTaken(event) && event.preventDefault()}
      onDrop={(event) => void drop(event)}
    />
  );
}
