import "./keys.css";
import { useWatched } from "../../watched.ts";
import { COMMAND_KEY } from "../../words.ts";
import type { Manifest } from "../app.ts";
import { apps } from "../registry.ts";

interface Group {
  readonly title: string;
  readonly keys: NonNullable<Manifest["keys"]>;
}

const GROUPS: readonly Group[] = [
  {
    title: "The bar",
    keys: [
      [`?  or  ${COMMAND_KEY} K`, "type what you want"],
      ["↑  ↓", "what was typed before"],
      ["@", "name a file"],
      ["Tab", "take what is suggested"],
      ["Shift Enter", "one more line"],
      ["Esc", "back to the window"],
    ],
  },
  {
    title: "Windows",
    keys: [
      ["Ctrl `", "next window; with Shift the one before"],
      ["Ctrl Alt ← → ↑ ↓", "halves, quarters, full and back"],
      ["Ctrl Alt M", "minimise"],
      ["Ctrl Alt W", "close"],
      ["Ctrl Alt D", "show the desktop"],
      ["F6", "to the window's frame, the bar, the icons"],
      ["← → ↑ ↓", "on a frame: move; with Shift resize"],
      ["Esc", "while dragging: leave it where it was"],
    ],
  },
  {
    title: "Anywhere",
    keys: [
      ["Shift F10", "the menu of what has the keys"],
      ["Ctrl /", "this sheet"],
    ],
  },
];

/** The desktop's own, and those that apps have told of. */
export default function Keys() {
  const own = useWatched(apps).flatMap(({ keys, title }): Group[] => (keys === undefined ? [] : [{ title, keys }]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: where there is more of it than fits, the arrows scroll it
    <div className="keys" tabIndex={0}>
      {[...GROUPS, ...own].map(({ title, keys }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map(([key, what]) => (
              <div key={key + what}>
                <dt>
                  {key
                    .replaceAll(/\bCtrl(?= [A-Z](?: |$))/g, COMMAND_KEY)
                    .split(/\s{2}(?:or)?\s*/)
                    .map((part) => (
                      <kbd key={part}>{part}</kbd>
                    ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
