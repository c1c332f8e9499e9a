import { newId, WindowValue as WindowSchema, type WindowValue } from "@choiros/contract";
import { z } from "zod";
import { pathNeed } from "../lease/need.ts";
import { shownWord, writtenPath } from "../lease/written-path.ts";
import { PATH_WORDS } from "./paths.ts";
import { type Context, failed, tool } from "./tool.ts";

/** Where a window begins; the desktop brings back what lies outside of its screen. */
const FIRST = { x: 96, y: 72 };
const STEP = 32;
const STEPS = 8;

export const openWindow = tool({
  name: "open_window",
  description: `Opens a file or a folder in a window on the user's desktop, or brings the one to the front that shows it. ${PATH_WORDS}`,
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
    const front = Math.max(0, ...[...windows.values()].map(({ z }) => z)) + 1;
    const same = [...windows].find(([, { app, args }]) => app === (isFolder ? "files" : "editor") && args.key === key);
    const [id, value] = same ?? [`window.${newId()}`, newWindow(key, isFolder, windows.size)];
    const as = same === undefined ? "open" : "focus";
    const shown = { ...value, z: front, state: value.state === "minimised" ? (value.was ?? "normal") : value.state };
    const done = await work.computer.changeWindows(as, new Map([[id, shown]]), { source: "agent", cause });
    return done.ok ? { status: "ok", text: `${shownWord(key)} is open` } : failed(done.message);
  },
});

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
