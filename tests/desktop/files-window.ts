import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openComputer } from "@choiros/computer";
import type { Browser, Locator } from "playwright-core";
import { startServer, tempHome } from "../console/stage.ts";
import { type OpenDesk, openDesk, say, windowOf } from "./desk.ts";

export interface FilesWindow extends OpenDesk {
  readonly home: string;
  readonly link: string;
  readonly window: Locator;
  /** The files, as a list that things are chosen in. */
  readonly list: Locator;
  item(name: string): Locator;
  /** What is shown, in order. */
  names(): Promise<string[]>;
  chosen(): Promise<string[]>;
}

/** A desk with these files in its workspace, and a window that shows them; `config` is the server's. */
export async function filesWindow(
  browser: Browser,
  files: Readonly<Record<string, string | Uint8Array>>,
  { config, ...options }: Parameters<typeof openDesk>[2] & { readonly config?: string } = {},
): Promise<FilesWindow> {
  const home = tempHome();
  if (config !== undefined) writeFileSync(join(home, "config.toml"), config);
  await withFiles(home, files);
  const { link } = await startServer(home);
  return { home, link, ...(await showFiles(await openDesk(browser, link, options))) };
}

async function withFiles(home: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const opened = await openComputer({ root: join(home, "users", "ada"), userId: "ada", create: true });
  if (!opened.ok) throw new Error(opened.message);
  for (const [name, bytes] of Object.entries(files)) {
    const outcome = await opened.computer.write(`workspace/${name}`, Buffer.from(bytes));
    if (!outcome.ok) throw new Error(outcome.message);
  }
  await opened.computer.close();
}

/** Opens a window with the workspace, or a folder in it. */
export async function showFiles(here: OpenDesk, folder = "workspace") {
  await say(here, folder === "workspace" ? "files" : `files ${folder}`);
  const opened = await windowOf(here, folder.split("/").at(-1) ?? "");
  // By what stays: its title is that of the folder it shows.
  const window = here.desk.locator(`[id="${await opened.getAttribute("id")}"]`);
  return { ...here, window, ...filesIn(window) };
}

function filesIn(window: Locator) {
  const list = window.getByRole("listbox");
  const texts = (which: string) =>
    list.locator(which).evaluateAll((all) =>
      all
        .map((one) => ({
          at: Number(one.getAttribute("data-index")),
          name: one.querySelector("bdi")?.textContent ?? "",
        }))
        .sort((one, two) => one.at - two.at)
        .map(({ name }) => name),
    );
  return {
    list,
    item: (name: string) => list.locator(`.files-cell:has([title=${JSON.stringify(name)}])`),
    names: () => texts(".files-cell"),
    chosen: () => texts(".files-cell[aria-selected=true]"),
  };
}
