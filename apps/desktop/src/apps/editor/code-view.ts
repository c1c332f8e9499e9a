import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { unifiedMergeView } from "@codemirror/merge";
import {
  closeSearchPanel,
  highlightSelectionMatches,
  openSearchPanel,
  searchKeymap,
  searchPanelOpen,
} from "@codemirror/search";
import { Compartment, EditorState, type Extension, Transaction } from "@codemirror/state";
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
  type ViewUpdate,
} from "@codemirror/view";
import { isTame } from "../../shown/is-tame.ts";
import {
  type Choose,
  choiceAtCursor,
  choices,
  element,
  focusChoice,
  isCursorInSight,
  nextChoice,
  reveal,
  setPlaces,
} from "./choices.ts";
import { codeLook } from "./code-look.ts";
import type { Place } from "./document.ts";
import type { Edit } from "./edit.ts";
import { foundWords } from "./find-words.ts";
import { languageExtension } from "./language-extension.ts";
import { isProse } from "./language-of.ts";
import { lineEnds, unify } from "./line-ends.ts";
import { plainSearch } from "./plain-search.ts";
import type { Paper } from "./session.ts";

export interface CodeEvents {
  readonly choose: Choose;
  typed(): void;
  /** Whether lines end in several ways, where that changed. */
  mixed(mixed: boolean): void;
  /** By whomever. */
  changed(): void;
  save(): void;
  /** Where the cursor is, from 1 on, and how much is selected. */
  at(line: number, column: number, selected: number): void;
  scrolled(share: number): void;
}

/** CodeMirror, in a shadow root: there its styles need no style element, which the page's policy forbids. */
export class CodeView implements Paper {
  readonly #view: EditorView;
  readonly #language = new Compartment();
  readonly #wrapping = new Compartment();
  readonly #comparing = new Compartment();
  readonly #events: CodeEvents;
  /** Somebody has to choose where they type, and may not see it yet. */
  #opened = false;

  constructor(host: HTMLElement, { key, text }: { readonly key: string; readonly text: string }, events: CodeEvents) {
    this.#events = events;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const state = EditorState.create({
      doc: text,
      extensions: [
        EditorState.lineSeparator.of("\n"), // and nothing else: what is shown is exactly what is in the file
        this.#comparing.of([]),
        this.#language.of([]),
        this.#wrapping.of(isProse(key) ? EditorView.lineWrapping : []),
        EditorView.editorAttributes.of({ class: isProse(key) ? "prose" : "" }),
        EditorView.contentAttributes.of({ "aria-label": "Text", tabindex: "0" }),
        indentUnit.of(indentOf(text)),
        choices(events.choose),
        lineEnds((mixed) => events.mixed(mixed)),
        keys(() => events.save()),
        EditorView.updateListener.of((update) => this.#updated(update)),
        EditorState.transactionExtender.of((change) => this.#tamed(key, change)),
        EditorView.domEventHandlers({ beforeinput: typedOver }),
        ...SETUP,
      ],
    });
    this.#view = new EditorView({ state, root, parent: root });
    // What the host is given is for the text. A browser that picks by itself takes what scrolls, or a field above.
    host.tabIndex = -1;
    host.addEventListener("focusin", () => root.activeElement ?? this.#view.focus());
    this.#view.scrollDOM.addEventListener("scroll", () => this.#scrolled(), { passive: true });
  }

  text(): string {
    return this.#view.state.doc.toString();
  }

  apply(edits: readonly Edit[], byHand: boolean): void {
    const annotations = byHand ? isolateHistory.of("full") : REMOTE; // undo takes back that alone
    this.#view.dispatch({ changes: [...edits], annotations });
  }

  mark(places: readonly Place[]): void {
    const mayOpen = places.length > 0 && choiceAtCursor(this.#view.state) === undefined && isCursorInSight(this.#view);
    this.#view.dispatch({ effects: setPlaces.of(places) });
    if (mayOpen) this.#opened = choiceAtCursor(this.#view.state) !== undefined;
  }

  /** As if it was typed there. */
  type(text: string): void {
    if (text !== "") this.#view.dispatch(this.#view.state.replaceSelection(text), { userEvent: "input.type" });
  }

  goTo(anchor: number): void {
    this.#view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.#view.focus();
  }

  /** The language of a file of this name, when it has come. */
  speak(key: string): void {
    if (isProse(key) && !isTame(this.text())) return;
    languageExtension(key).then(
      (extension) => this.#view.dispatch({ effects: this.#language.reconfigure(extension) }),
      () => {}, // it is only not coloured
    );
  }

  wrap(on: boolean): void {
    this.#view.dispatch({ effects: this.#wrapping.reconfigure(on ? EditorView.lineWrapping : []) });
  }

  /** Shows where it differs from another text, and lets one take pieces of that; `undefined`: from none any more. */
  compare(original: string | undefined): void {
    const extension = original === undefined ? [] : comparison(original);
    this.#view.dispatch({ effects: this.#comparing.reconfigure(extension) });
  }

  unifyEnds(): void {
    unify(this.#view);
    this.#view.focus();
  }

  find(): void {
    if (searchPanelOpen(this.#view.state)) closeSearchPanel(this.#view);
    else openSearchPanel(this.#view);
  }

  /** From which line to which one something is selected; `undefined` where nothing is. */
  selectedLines(): { readonly first: number; readonly last: number; readonly text: string } | undefined {
    const { doc, selection } = this.#view.state;
    const { from, to } = selection.main;
    if (from === to) return undefined;
    return { first: doc.lineAt(from).number, last: doc.lineAt(to).number, text: doc.sliceString(from, to) };
  }

  focus(): void {
    this.#view.focus();
  }

  /** Brings the next place where somebody has to choose into sight, or the one before, with the cursor. */
  showChoice(back: boolean): void {
    const anchor = nextChoice(this.#view.state, back);
    if (anchor === undefined) return;
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    focusChoice(this.#view);
  }

  /** Brings the place that opened where somebody types into sight, once all that tells of it is drawn. */
  reveal(): void {
    if (this.#opened) reveal(this.#view);
    this.#opened = false;
  }

  end(): void {
    this.#view.destroy();
  }

  /** What comes in one piece may be such that it can't be coloured in any time. */
  #tamed(key: string, { changes, docChanged, newDoc }: Transaction) {
    let came = 0;
    if (docChanged && isProse(key)) changes.iterChanges((_from, _to, _at, _end, text) => (came += text.length));
    const isWild = came > 1000 && !isTame(newDoc.toString());
    return isWild ? { effects: this.#language.reconfigure([]) } : null;
  }

  #updated({ docChanged, selectionSet, transactions, state }: ViewUpdate): void {
    if (docChanged && transactions.some((one) => one.docChanged && one.annotation(Transaction.remote) !== true))
      this.#events.typed();
    if (docChanged) this.#events.changed();
    if (!docChanged && !selectionSet) return;
    const { main } = state.selection;
    const line = state.doc.lineAt(main.head);
    this.#events.at(line.number, main.head - line.from + 1, main.to - main.from);
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#view.scrollDOM;
    this.#events.scrolled(scrollHeight > clientHeight ? scrollTop / (scrollHeight - clientHeight) : 0);
  }
}

const SETUP: readonly Extension[] = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  foldGutter(),
  drawSelection(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ icons: false }),
  rectangularSelection(),
  crosshairCursor(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  plainSearch,
  foundWords,
  EditorState.phrases.of({
    all: "All",
    "by word": "Whole words",
    "match case": "Match case",
    next: "Next",
    previous: "Previous",
    regexp: "Pattern",
    replace: "Replace",
    "replace all": "Replace all",
  }),
  codeLook,
];

function keys(save: () => void): Extension {
  const saves = () => {
    save();
    return true;
  };
  return keymap.of([
    { key: "Mod-s", run: saves, preventDefault: true },
    { key: "Mod-h", run: openSearchPanel, preventDefault: true },
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    indentWithTab,
    ...defaultKeymap.filter(({ key }) => key !== "Mod-/"), // the desktop's own; comments have Ctrl-Shift-/
    ...defaultKeymap.flatMap((one) => (one.key === "Mod-/" ? [{ ...one, key: "Mod-Shift-/" }] : [])),
  ]);
}

/**
 * What is typed over something selected. A browser would keep the colours of what went by a style attribute, which the page's
 * policy forbids.
 */
function typedOver(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event;
  const { main } = view.state.selection;
  if (inputType !== "insertText" || data === null || main.empty || view.composing || !event.cancelable) return false;
  const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type" });
  const { from, to } = main;
  const handled = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, data, insert));
  if (!handled) view.dispatch(insert());
  event.preventDefault();
  return true;
}

const REMOTE = [Transaction.addToHistory.of(false), Transaction.remote.of(true)];
/** Larger ones are compared line by line at most. */
const DIFF = { scanLimit: 500, timeout: 1_000 };

function comparison(original: string): Extension {
  const button = (type: "accept" | "reject", action: (event: MouseEvent) => void) => {
    const made = element("button", "small-button", "Bring back");
    made.hidden = type === "accept";
    made.onmousedown = action;
    made.onclick = (event) => event.detail === 0 && action(event); // by the keyboard
    return made;
  };
  return unifiedMergeView({
    original,
    mergeControls: button,
    collapseUnchanged: { margin: 3, minSize: 6 },
    diffConfig: DIFF,
  });
}

/** What most of its indented lines begin with, among the first ones. */
function indentOf(text: string): string {
  const heads = [...text.slice(0, 20_000).matchAll(/^(\t| {2,8})(?=\S)/gm)].map(([head]) => head);
  if (heads.filter((head) => head === "\t").length * 2 > heads.length) return "\t";
  return heads.some((head) => head.length === 2 || head.length === 6) ? "  " : heads.length > 0 ? "    " : "  ";
}
