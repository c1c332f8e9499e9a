import { getSearchQuery, type SearchQuery, searchPanelOpen } from "@codemirror/search";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** So many are counted, and in so much of the text: it is searched again with every key. */
const MOST_COUNTED = 1_000;
const SEARCHED = 2 ** 21;

/** Says beside what is searched for how often it is found, or that it isn't, or can't be. */
export const foundWords: Extension = EditorView.updateListener.of(({ view, state, transactions }) => {
  if (transactions.length === 0) return;
  const panel = searchPanelOpen(state) ? view.dom.querySelector(".cm-search") : null;
  if (panel === null) return;
  const { words, wrong } = findWords(state);
  const place = panel.querySelector(".cm-found") ?? placeIn(panel);
  if (place.textContent !== words) place.textContent = words;
  panel.querySelector("[main-field]")?.setAttribute("aria-invalid", String(wrong));
});

/** What came of a search, and whether nothing did. */
export function findWords(state: EditorState): { readonly words: string; readonly wrong: boolean } {
  const query = getSearchQuery(state);
  if (query.search === "") return { words: "", wrong: false };
  if (!query.valid) return { words: "Not a pattern", wrong: true };
  const { count, at, more } = counted(query, state);
  if (count === 0) return more ? { words: "", wrong: false } : { words: "Not found", wrong: true };
  const all = `${count.toLocaleString("en")}${more ? "+" : ""}`;
  if (at > 0) return { words: `${at} of ${all}`, wrong: false };
  return { words: `${all} found`, wrong: false };
}

/** `at`: which of them is selected, from 1 on. `more`: there may be some that weren't counted. */
function counted(query: SearchQuery, state: EditorState): { count: number; at: number; more: boolean } {
  const { from, to } = state.selection.main;
  const { length } = state.doc;
  const found = query.getCursor(state, 0, Math.min(length, SEARCHED));
  let [count, at] = [0, 0];
  for (let next = found.next(); next.done !== true; next = found.next()) {
    if (count === MOST_COUNTED) return { count, at, more: true };
    count++;
    if (next.value.from === from && next.value.to === to) at = count;
  }
  return { count, at, more: length > SEARCHED };
}

function placeIn(panel: Element): Element {
  const place = document.createElement("span");
  place.className = "cm-found";
  place.role = "status";
  panel.querySelector("br")?.before(place);
  return place;
}
