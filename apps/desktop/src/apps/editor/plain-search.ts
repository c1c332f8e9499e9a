import { getSearchQuery, SearchQuery, search, setSearchQuery } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";

/**
 * What is searched for, and what takes its place, is taken as it is; only a pattern has signs of its own. The panel by itself
 * would read a backslash and what follows it as one always.
 */
export const plainSearch: Extension = [
  search({ top: true, literal: true }),
  EditorState.transactionExtender.of(({ effects, startState }) => {
    const asked = effects.flatMap((effect) => (effect.is(setSearchQuery) ? [effect.value] : [])).at(-1);
    if (asked === undefined) return null;
    const isPlain = !asked.regexp;
    // Several lines that are selected have no room in the field: what was searched for before stays.
    if (isPlain && asked.search.includes("\n")) return { effects: setSearchQuery.of(getSearchQuery(startState)) };
    return asked.literal === isPlain ? null : { effects: setSearchQuery.of(queryLike(asked, isPlain)) };
  }),
];

function queryLike({ caseSensitive, regexp, replace, search, wholeWord }: SearchQuery, literal: boolean): SearchQuery {
  return new SearchQuery({ caseSensitive, literal, regexp, replace, search, wholeWord });
}
