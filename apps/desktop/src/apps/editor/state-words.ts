import { count, dayAndTime } from "../../words.ts";
import type { State } from "./session.ts";

/**
 * Where what was typed is, in one of four words: in the file, on its way there, in this browser, or here alone. Where there
 * is neither that nor a file, that is said.
 */
export function savingWords({ saving, keeps, isNew }: Pick<State, "saving" | "keeps" | "isNew">): string {
  if (saving === "saved") return isNew ? "No file yet" : "Saved";
  if (saving === "saving") return "Saving…";
  const where = keeps && saving !== "shown" ? "Kept in this browser" : "Only in this window";
  return saving === "offline" ? `${where}, without a connection` : where;
}

export interface BannerWords {
  readonly kind: "said" | "wrong";
  readonly words: string;
  /** What can be done about it. */
  readonly offers: readonly ("save" | "put back" | "discard" | "close" | "show" | "show next")[];
}

/** The one thing that somebody should know about this text: where there are several, they are one sentence. */
export function bannerWords({
  gone,
  isNew,
  open,
  other,
  restored,
}: Pick<State, "gone" | "isNew" | "open" | "other" | "restored">): BannerWords | undefined {
  const typed =
    restored === undefined ? undefined : `What you typed until ${dayAndTime(new Date(restored).toISOString())}`;
  if (gone) {
    const here = typed === undefined ? "What you see is still here." : `${typed} is here again.`;
    const words =
      other === undefined
        ? `The file was taken away. ${here}`
        : `The file isn't text any more: ${other}. ${here} Saved again, it takes that one's place, which stays among the versions.`;
    return { kind: "wrong", words, offers: ["put back"] };
  }
  if (open > 0) {
    const again = typed === undefined ? "" : `${typed} and wasn't saved is here again. `;
    const words = `${again}Changed elsewhere in the same lines, at ${count(open, "place")}. Both versions are in the text; it is saved when you have chosen.`;
    const show = open === 1 ? "show" : "show next";
    return { kind: "wrong", words, offers: typed === undefined ? [show] : [show, "discard"] };
  }
  if (typed === undefined)
    return isNew
      ? { kind: "said", words: "There is no such file. What you type here begins one.", offers: [] }
      : undefined;
  return { kind: "said", words: `${typed} and wasn't saved is here again.`, offers: ["save", "discard", "close"] };
}
