import type { Locator } from "playwright-core";
import type { Home } from "../console/home.ts";
import { live } from "../console/stage.ts";
import { type OpenDesk, type OwnDesk, openDesk, say, windowOf } from "./desk.ts";
import type { Look } from "./look.ts";
import type { Seat } from "./seat.ts";

export interface FilesWindow extends OwnDesk {
  readonly window: Locator;
  /** The files, as a list that things are chosen in. */
  readonly list: Locator;
  item(name: string): Locator;
  /** What is shown, in order. */
  names(): Promise<string[]>;
  chosen(): Promise<string[]>;
}

/** A desk with these files in its workspace, and a window that shows them. */
export async function filesWindow(
  seat: Seat,
  look: Look,
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Parameters<typeof openDesk>[2] = {},
): Promise<FilesWindow> {
  await putFiles(seat.home, files);
  return showFiles(await openDesk(seat, look, options));
}

/** Before anybody looks. */
export function putFiles(home: Home, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  return live(home, async (computer) => {
    for (const [name, bytes] of Object.entries(files)) {
      const outcome = await computer.write(`workspace/${name}`, Buffer.from(bytes));
      if (!outcome.ok) throw new Error(outcome.message);
    }
  });
}

/** Opens a window with the workspace, or a folder in it. */
export async function showFiles<Here extends OpenDesk>(here: Here, folder = "workspace") {
  await say(here, folder === "workspace" ? "files" : `files ${folder}`);
  return shownFiles(here, folder);
}

/** The window of a folder that is open. */
export async function shownFiles<Here extends OpenDesk>(here: Here, folder = "workspace") {
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
