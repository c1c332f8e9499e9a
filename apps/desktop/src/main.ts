import "./no-eval.ts";
import "@fontsource-variable/inter/index.css";
import "./page.css";
import { awaitTokens, followTheme, sayHello } from "./console.ts";
import { type Grant, Refused, readLast, readTree } from "./reading.ts";

/** Until the desktop is here: what there is, and what happened. */

const EVERY_MS = 2000;
let grant: Grant | undefined;
let shown = -1;
let timer: ReturnType<typeof setTimeout> | undefined;

followTheme();
awaitTokens((given) => {
  const first = grant === undefined;
  grant = given;
  if (first) void look();
});

async function look(): Promise<void> {
  clearTimeout(timer);
  if (grant !== undefined) await show(grant).catch(onBroken);
  timer = setTimeout(look, EVERY_MS);
}

/** That the server is away says the console; that it is another run of it, which knows no former token, is seen here. */
function onBroken(error: unknown): void {
  if (error instanceof Refused) sayHello();
}

async function show(given: Grant): Promise<void> {
  const events = await readLast(given);
  const last = events[0]?.seq ?? 0;
  if (last === shown) return;
  fill(
    "events",
    events.map(({ seq, type, source }) => [String(seq), type, source]),
    "Nothing happened yet.",
  );
  const files = await readTree(given);
  fill("files", files, `No files yet. Write one: echo hello | npx choir write notes.md --user ${given.computer}`);
  shown = last;
}

function fill(id: string, lines: readonly (readonly string[])[], empty: string): void {
  const list = document.getElementById(id);
  if (list === null) return;
  list.ariaBusy = "false";
  const all = lines.length === 0 ? [[empty]] : lines;
  list.replaceChildren(...all.map((words) => line(words)));
}

function line(words: readonly string[]): HTMLElement {
  const item = document.createElement("li");
  item.append(
    ...words.map((word) => {
      const part = document.createElement("span");
      part.textContent = word;
      return part;
    }),
  );
  return item;
}
