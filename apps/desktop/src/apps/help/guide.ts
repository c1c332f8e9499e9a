import { PHRASES, shape } from "@choiros/contract";
import type { DeskApi } from "../../desk/api.ts";
import { pictureOf } from "./picture-of.ts";
import { type Page, pagesOf } from "./sections.ts";

/** The guide as it was when this desktop was built. */
const TEXTS = import.meta.glob<string>("../../../../../docs/guide/*.md", {
  eager: true,
  query: "?raw",
  import: "default",
});
const PICTURES = import.meta.glob<string>("../../../../../docs/guide/images/*.png", {
  eager: true,
  query: "?url",
  import: "default",
});

/** What can be said in the bar, from its own grammar. */
const WORDS: Page = {
  name: "words.md",
  title: "What can be said in the bar",
  text: [
    "# What can be said in the bar",
    "",
    "Press **?** or Ctrl K, and type. Anything else is an ask for the agents.",
    "",
    "| say | to | for example |",
    "| --- | --- | --- |",
    ...PHRASES.map((phrase) => `| ${code(shape(phrase))} | ${phrase.help} | ${phrase.examples.map(code).join(", ")} |`),
  ].join("\n"),
};

/** What somebody on the desktop looks for first. */
const FIRST = ["desktop.md", WORDS.name, "files.md", "editor.md", "timeline.md"];

export const PAGES: readonly Page[] = [WORDS, ...pagesOf(TEXTS)].sort((one, two) => placeOf(one) - placeOf(two));

/** As if the guide were a folder of the computer: its links open its pages, and its pictures are those it brought. */
export function guideDesk(
  { files, visit }: Pick<DeskApi, "files" | "visit">,
  onOpen: (name: string) => void,
): Pick<DeskApi, "files" | "openFile" | "visit"> {
  return {
    visit,
    files: {
      ...files,
      read: async (key, options = {}) => {
        const found = pictureOf(PICTURES, key.slice(GUIDE.length + 1), document.documentElement.dataset.theme);
        return found === undefined ? undefined : fetch(found, options);
      },
      watch: (_key, changed) => {
        const theme = new MutationObserver(changed);
        theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
        return () => theme.disconnect();
      },
    },
    openFile: (key) => {
      onOpen(key.slice(GUIDE.length + 1));
      return undefined;
    },
  };
}

/** The folder that its links start from. */
export const GUIDE = "docs/guide";

/** In a table also what has its sign in it. */
function code(words: string): string {
  return `\`${words.replaceAll("|", "\\|")}\``;
}

function placeOf({ name }: Page): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}
