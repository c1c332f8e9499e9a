import "./keys.css";
import { COMMAND_KEY } from "../../words.ts";

const GROUPS: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] = [
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
  { title: "Here", keys: [["Ctrl /", "this sheet"]] },
];

export default function Keys() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: where there is more of it than fits, the arrows scroll it
    <div className="keys" tabIndex={0}>
      {GROUPS.map(({ title, keys }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map(([key, what]) => (
              <div key={key + what}>
                <dt>
                  {key.split(/\s{2}(?:or)?\s*/).map((part) => (
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
