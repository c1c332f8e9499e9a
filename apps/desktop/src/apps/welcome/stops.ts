import { COMMAND_KEY } from "../../words.ts";

export interface Stop {
  /** What is shown: all that fits this selector; where there is none on this screen, only the words. */
  readonly at: string;
  readonly title: string;
  readonly words: string;
}

/** What is worth a look, with what one does about it on such a screen. */
export function stopsOn(isSmall: boolean): readonly Stop[] {
  return isSmall ? SMALL : LARGE;
}

const SAID = "Everything can be said here: commands, names of files and apps, and what you want done.";
const WORDS = "What can be said. What you pick fills the bar, so that you learn it.";

const LARGE: readonly Stop[] = [
  { at: ".ask-field", title: "The bar", words: `${SAID} ? or ${COMMAND_KEY} K leads to it.` },
  { at: ".ask-menu", title: "All the words", words: WORDS },
  {
    at: ".icon",
    title: "The desktop",
    words: "Apps and files, wherever you put them. Drop files from your machine anywhere.",
  },
  {
    at: ".running",
    title: "Windows",
    words: "What is open. Drag a window to an edge for half of the screen, to the top for all.",
  },
  { at: ".tray", title: "What is going on", words: "Whether all is saved, what the desk had to say, and the time." },
];

const SMALL: readonly Stop[] = [
  { at: ".ask-field", title: "The bar", words: SAID },
  { at: ".ask-menu", title: "All the words", words: WORDS },
  {
    at: ".window[data-front=true] .window-controls",
    title: "The desktop",
    words: "Apps and files lie behind the windows. The line puts a window out of the way, the cross closes it.",
  },
  { at: ".cards-button", title: "Windows", words: "How many are open. Press it to go to another one, or to close it." },
  {
    at: ".tray",
    title: "What is going on",
    words: "What the desk had to say, and that the connection is lost where it is.",
  },
];
