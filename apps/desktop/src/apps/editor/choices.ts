import { type EditorState, type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { Choice, Place } from "./document.ts";

export type Choose = (place: number, theirs: string, choice: Choice) => void;

export const setPlaces = StateEffect.define<readonly Place[]>();

/** Where both changed the same lines: what was typed, marked, and under it what stands in the file, to choose from. */
export function choices(choose: Choose): Extension {
  const drawing = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(shown, transaction) {
      const effect = transaction.effects.find((one) => one.is(setPlaces));
      if (effect === undefined) return shown.map(transaction.changes);
      return Decoration.set(
        effect.value.flatMap((place, i) => drawn(place, i, transaction.state.doc, choose)),
        true,
      );
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  return [open, drawing];
}

/** Where the next choice is from the cursor on, or the one before, around the ends: the end of what was typed there. */
export function nextChoice(state: EditorState, back = false): number | undefined {
  const ends = state.field(open).map((place) => endOf(place, state.doc));
  const { head } = state.selection.main;
  return back ? (ends.findLast((end) => end < head) ?? ends.at(-1)) : (ends.find((end) => end > head) ?? ends[0]);
}

/** Of the lines that the cursor is in; `undefined` where nobody has to choose there. */
export function choiceAtCursor(state: EditorState): number | undefined {
  const { doc, selection } = state;
  const { head } = selection.main;
  const here = state.field(open).find((place) => place.from <= head && head <= doc.lineAt(endOf(place, doc)).to);
  return here === undefined ? undefined : endOf(here, doc);
}

export function isCursorInSight(view: EditorView): boolean {
  const cursor = view.coordsAtPos(view.state.selection.main.head);
  const { top, bottom } = view.scrollDOM.getBoundingClientRect();
  return cursor !== null && cursor.top >= top && cursor.bottom <= bottom;
}

/** Brings the choice at the cursor into sight, as far as the cursor is there, too. */
export function reveal(view: EditorView): void {
  view.requestMeasure({
    read({ documentTop, scrollDOM, state }) {
      const at = choiceAtCursor(state);
      const cursor = view.coordsAtPos(state.selection.main.head);
      if (at === undefined || cursor === null) return 0;
      const { top, bottom } = view.lineBlockAt(at);
      const sight = scrollDOM.getBoundingClientRect();
      const down = Math.min(documentTop + bottom - sight.bottom, cursor.top - sight.top);
      const up = Math.min(sight.top - documentTop - top, sight.bottom - cursor.bottom);
      return down > 0 ? down : -Math.max(0, up);
    },
    write(by, { scrollDOM }) {
      if (by !== 0) scrollDOM.scrollTop += by;
    },
  });
}

/** The keys are for its buttons, by Tab; what is typed is for the text all the same. */
export function focusChoice(view: EditorView): void {
  const { head } = view.state.selection.main;
  const number = view.state.field(open).findIndex((place) => endOf(place, view.state.doc) === head);
  const group = view.contentDOM.querySelector<HTMLElement>(`.theirs[data-number="${number}"]`);
  if (group === null) view.focus();
  else group.focus({ preventScroll: true });
}

const open = StateField.define<readonly Pick<Place, "from" | "to">[]>({
  create: () => [],
  update(places, { changes, docChanged, effects }) {
    const effect = effects.find((one) => one.is(setPlaces));
    if (effect !== undefined) return effect.value;
    return docChanged ? places.map(({ from, to }) => ({ from: changes.mapPos(from), to: changes.mapPos(to) })) : places;
  },
});

/** Below it stands the other version; where nothing was typed there, above it. */
function endOf({ from, to }: Pick<Place, "from" | "to">, doc: Text): number {
  return to > from ? doc.lineAt(to - 1).to : from;
}

function drawn({ from, to, theirs }: Place, number: number, doc: Text, choose: Choose) {
  const last = to > from ? doc.lineAt(to - 1) : undefined;
  const lines = last === undefined ? [] : Array.from({ length: last.number - doc.lineAt(from).number + 1 }, (_, i) => doc.line(doc.lineAt(from).number + i)); // biome-ignore format: in one line
  const widget = Decoration.widget({
    widget: new Theirs(theirs, number, choose),
    block: true,
    side: last === undefined ? -1 : 1,
  });
  return [...lines.map((line) => MINE.range(line.from)), widget.range(last?.to ?? from)];
}

const MINE = Decoration.line({ class: "mine" });
const WORDS: readonly (readonly [Choice, string])[] = [
  ["mine", "Keep mine"],
  ["theirs", "Take this"],
  ["both", "Keep both"],
];

class Theirs extends WidgetType {
  readonly #theirs: string;
  readonly #place: number;
  readonly #choose: Choose;

  constructor(theirs: string, place: number, choose: Choose) {
    super();
    this.#theirs = theirs;
    this.#place = place;
    this.#choose = choose;
  }

  override eq(other: Theirs): boolean {
    return other.#theirs === this.#theirs && other.#place === this.#place;
  }

  override toDOM(view: EditorView): HTMLElement {
    const root = element("div", "theirs");
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Changed elsewhere in the same lines");
    root.dataset.number = `${this.#place}`;
    root.tabIndex = -1;
    root.onkeydown = ({ key, target, ctrlKey, metaKey, altKey }) => {
      const isTyped =
        target === root && !ctrlKey && !metaKey && !altKey && (key.length === 1 || key.startsWith("Arrow"));
      if (isTyped || key === "Escape") view.focus();
    };
    const head = element("div", "theirs-head");
    head.append(element("span", "", this.#theirs === "" ? "Removed elsewhere" : "Changed elsewhere to"));
    for (const [choice, words] of WORDS) {
      if (choice === "both" && this.#theirs === "") continue;
      const button = element("button", "small-button", choice === "theirs" && this.#theirs === "" ? "Remove" : words);
      button.onclick = () => {
        view.focus(); // before this button goes, and the keys with it
        this.#choose(this.#place, this.#theirs, choice);
      };
      head.append(button);
    }
    root.append(head);
    if (this.#theirs !== "") root.append(element("pre", "", this.#theirs.replace(/\n$/, "")));
    return root;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** In plain DOM: what stands within the text isn't React's. */
export function element<Name extends "div" | "span" | "pre" | "button">(
  name: Name,
  className: string,
  text = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  if (made instanceof HTMLButtonElement) made.type = "button";
  return made;
}
