import { invertedEffects, isolateHistory } from "@codemirror/commands";
import { type Extension, StateEffect } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Whether the ends of lines that aren't `\n` alone are characters of the text. Undone and redone with the edit that it came with. */
const setMixed = StateEffect.define<boolean>();

export function lineEnds(onMixed: (mixed: boolean) => void): Extension {
  return [
    invertedEffects.of(({ effects }) => effects.flatMap((one) => (one.is(setMixed) ? setMixed.of(!one.value) : []))),
    EditorView.updateListener.of(({ transactions }) => {
      for (const one of transactions.flatMap(({ effects }) => effects)) if (one.is(setMixed)) onMixed(one.value);
    }),
  ];
}

/** All lines end in one way, as a step of its own that can be undone. */
export function unify(view: EditorView): void {
  const { doc } = view.state;
  const changes: { from: number; to: number }[] = [];
  let at = 0;
  const ended = doc.iterLines(1, doc.lines); // all but the last
  for (const line of ended) {
    at += line.length + 1;
    if (line.endsWith("\r")) changes.push({ from: at - 2, to: at - 1 });
  }
  view.dispatch({ changes, effects: setMixed.of(false), annotations: isolateHistory.of("full"), userEvent: "input" });
}
