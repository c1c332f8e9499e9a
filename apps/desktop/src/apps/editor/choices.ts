import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { Choice, Place } from "./document.ts";

export type Choose = (place: number, theirs: string, choice: Choice) => void;

export const setPlaces = StateEffect.define<readonly Place[]>();

/** Where both changed the same lines: what was typed, marked, and under it what stands in the file, to choose from. */
export function choices(choose: Choose): Extension {
  return StateField.define<DecorationSet>({
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
}

interface Lined {
  readonly length: number;
  lineAt(at: number): { readonly from: number; readonly to: number; readonly number: number };
  line(number: number): { readonly from: number };
}

function drawn({ from, to, theirs }: Place, number: number, doc: Lined, choose: Choose) {
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
