import { canonicalise, newId, WindowValue as WindowSchema, type WindowValue } from "@choiros/contract";
import { z } from "zod";
import { pathNeed } from "../lease/need.ts";
import { shownWord, writtenPath } from "../lease/written-path.ts";
import { PATH_WORDS } from "./paths.ts";
import { type Context, failed, tool } from "./tool.ts";

/** Where a window begins; the desktop brings back what lies outside of its screen. */
const FIRST = { x: 96, y: 72 };
const STEP = 32;
const STEPS = 8;
/** More than this nobody looks at. */
const MOST_WINDOWS = 20;

export const openWindow = tool({
  name: "open_window",
  description: `Opens a file or a folder in a window on the user's desktop, behind the one that they have in front, and tells them so. A window that shows it already is used. ${PATH_WORDS}`,
  input: z.strictObject({ path: z.string() }),
  needs({ path }) {
    const written = writtenPath(path);
    return "why" in written ? written : [pathNeed("read", written.key)];
  },
  async run({ path }, context) {
    const { work, cause } = context;
    const written = writtenPath(path);
    if ("why" in written) return failed(written.why);
    const { key } = written;
    const found = key.includes("/") ? await work.computer.read(key) : { entry: { kind: "dir" } as const };
    if (found === undefined) return failed(`there is nothing at ${shownWord(key)}`);
    const isFolder = found.entry.kind === "dir";
    const windows = await windowsOf(context);
    const front = frontOf(windows);
    const same = [...windows].find(([, { app, args }]) => app === (isFolder ? "files" : "editor") && args.key === key);
    const [id, value] = same ?? [`window.${newId()}`, newWindow(key, isFolder, windows.size)];
    const isFront = front === undefined || front.id === id;
    const z = front === undefined ? topOf(windows) : front.window.z - (isFront ? 0 : 1);
    const shown = { ...inSight(value), z: Math.max(0, z) };
    const changes = new Map([[id, shown]]);
    if (front !== undefined && z < 0) changes.set(front.id, { ...front.window, z: 1 }); // there is no place behind it
    const opened = { status: "ok", text: `${shownWord(key)} is open, ${isFront ? "in front" : BEHIND}` } as const;
    if (same !== undefined && changes.size === 1 && canonicalise(shown) === canonicalise(value)) return opened;
    if (same === undefined && (await openedBy(context)) >= MOST_WINDOWS)
      return failed(`this task opened ${MOST_WINDOWS} windows already: name the rest in its result`);
    const as = same === undefined ? "open" : "focus";
    const done = await work.computer.changeWindows(as, changes, { source: "agent", cause });
    return done.ok ? opened : failed(done.message);
  },
});

/** How many its task did open, as the log has it. */
async function openedBy({ work }: Context): Promise<number> {
  return (await Array.fromAsync(work.computer.log.read({ cause: work.cause, types: ["window.open"] }))).length;
}

const BEHIND = "behind what the user has in front";

type Windows = ReadonlyMap<string, WindowValue>;

/** What the user has before them. */
function frontOf(windows: Windows): { readonly id: string; readonly window: WindowValue } | undefined {
  return [...windows]
    .filter(([, { state }]) => state !== "minimised")
    .map(([id, window]) => ({ id, window }))
    .sort((one, two) => one.window.z - two.window.z || (one.id < two.id ? -1 : 1))
    .at(-1);
}

function topOf(windows: Windows): number {
  return Math.max(0, ...[...windows.values()].map(({ z }) => z)) + 1;
}

function inSight(window: WindowValue): WindowValue {
  if (window.state !== "minimised") return window;
  const { was = "normal", ...rest } = window;
  return { ...rest, state: was };
}

function newWindow(key: string, isFolder: boolean, others: number): WindowValue {
  const by = (others % STEPS) * STEP;
  const size = isFolder ? { w: 760, h: 500 } : { w: 820, h: 560 };
  return {
    app: isFolder ? "files" : "editor",
    args: { key },
    box: { x: FIRST.x + by, y: FIRST.y + by, ...size },
    state: "normal",
    title: key.slice(key.lastIndexOf("/") + 1).slice(0, 300),
    z: 0,
  };
}

/** Those that this version understands. */
async function windowsOf({ work }: Context): Promise<Map<string, WindowValue>> {
  const windows = new Map<string, WindowValue>();
  const { pages } = await work.computer.rows("window");
  for await (const page of pages) {
    for (const { key, value } of page) {
      const parsed = WindowSchema.safeParse(value);
      if (parsed.success) windows.set(key, parsed.data);
    }
  }
  return windows;
}
