import { expect, test } from "vitest";
import { parseApps, parseLayout, parseTheme } from "./system.ts";

const APP = { id: "editor", title: "Notes", opens: ["*.md", "text/*", "folder", "*"], shown: false };

test("a theme, a layout and a list of apps are what their files say", () => {
  const theme = {
    name: "Sea",
    scheme: "system",
    accent: "#d4af37",
    colours: { surface: "rgb(20 20 22 / 0.9)", "text-soft": { dark: "#eee", light: "oklch(40% 0.1 90deg)" } },
  };
  const icons = [
    { key: "workspace/notes.md", column: 0, row: 1 },
    { app: "timeline", args: { type: "file.write" }, column: 1, row: 0, title: "What I wrote" },
  ];
  const layout = { icons, taskbar: { place: "top", pinned: ["files"] } };
  expect(parseTheme(JSON.stringify(theme))).toEqual({ ok: true, value: theme });
  expect(parseLayout(JSON.stringify(layout))).toEqual({ ok: true, value: layout });
  expect(parseLayout("{}")).toEqual({ ok: true, value: {} });
  expect(parseApps(JSON.stringify({ apps: [APP] }))).toEqual({ ok: true, value: { apps: [APP] } });
});

test.each([
  [parseTheme, '{"name": "Sea", scheme: 1}', /no JSON: .*position 16/],
  [parseTheme, { name: "Sea", scheme: "blue" }, /^“scheme” must be “dark”, “light” or “system”$/],
  [parseTheme, { name: "Sea", scheme: "dark", color: "red" }, /^it has “color”, which isn't known here$/],
  [parseTheme, { name: "Sea", scheme: "dark", accent: "url(https://example.com)" }, /^“accent” must be a colour/],
  [parseTheme, { name: "Sea", scheme: "dark", colours: { text: "red;}" } }, /^“text” of “colours” must be a colour/],
  [parseTheme, [], /^it must be an object$/],
  [parseLayout, { icons: [{ key: "workspace/a", column: -1, row: 0 }] }, /^“column” of icon 1 must be at least 0$/],
  [parseLayout, { icons: [{ app: "a" }] }, /^“column” of icon 1 is missing; “row” of icon 1 is missing$/],
  [parseLayout, { icons: [{ app: "a" }, { app: "b" }] }, /^“column” of icon 1 is missing; .*; and 2 more$/],
  [
    parseLayout,
    { icons: [{ key: "a", column: "1", row: 0.5 }] },
    /1 must be a number; “row” of icon 1 must be a whole/,
  ],
  [
    parseLayout,
    { icons: [{ apps: "files", column: 0, row: 0 }] },
    /^“key” of icon 1 is missing, or “app” of icon 1 is missing; icon 1 has “apps”, which isn't known here$/,
  ],
  [parseLayout, { taskbar: { place: "left" } }, /^“place” of “taskbar” must be “bottom” or “top”$/],
  [parseApps, { apps: [APP, APP] }, /^“apps” must name each app once/],
  [parseApps, { apps: [{ ...APP, opens: ["md"] }] }, /^“opens” 1 of app 1 must be as '\*.md'/],
  [
    parseApps,
    { apps: [{ id: "editor", title: "", shown: 1 }] },
    /^“title” of app 1 must not be empty|“shown”.*true or false/,
  ],
  [parseApps, { apps: [{ id: "editor", entry: "a.html" }] }, /^app 1 has “entry”/],
])("a file that is wrong is told with what is wrong and where", (parse, file, why) => {
  const said = parse(typeof file === "string" ? file : JSON.stringify(file));
  expect(said).toEqual({ ok: false, why: expect.stringMatching(why) });
});
