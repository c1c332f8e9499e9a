import { useEffect, useState } from "react";
import type { CodeView } from "./code-view.ts";
import type { State } from "./session.ts";

interface ChoicesParts {
  readonly view: CodeView | undefined;
  readonly state: State;
  /** The text isn't drawn: something else has its place. */
  readonly isCovered: boolean;
  uncover(): void;
}

/** Leads to where somebody has to choose: to what opens where they type by itself, to the others as they wish. */
export function useChoices({ view, state, isCovered, uncover }: ChoicesParts): (way: "next" | "back") => void {
  const [wanted, setWanted] = useState<"next" | "back">();
  useEffect(() => {
    if (wanted === undefined || isCovered) return;
    view?.showChoice(wanted === "back");
    setWanted(undefined);
  }, [wanted, isCovered, view]);
  useEffect(() => view?.reveal(), [state, view]); // once the banner has its place
  return (way) => {
    if (isCovered) uncover();
    setWanted(way);
  };
}
