import { expect, test } from "vitest";
import { frameOf } from "./desk.ts";
import { type FilesWindow, filesWindow } from "./files-window.ts";
import { AUDITED, faultsAt } from "./look.ts";
import { seats } from "./seat.ts";

const seat = seats();

const FILES = {
  "README.md": "# Bread\n\n- rye\n- [spelt](docs/x.md)\n",
  "a long name that nobody can read in one line any more, however wide it is.txt": "x",
  "docs/x.md": "x",
  "gnp.\u202eexe": "x",
};

/** Every part of a window of files, one after the other. */
async function* parts({ desk, item, page, window }: FilesWindow): AsyncGenerator<string> {
  yield "a list";
  await item("gnp.\\u{202e}exe").click();
  await page.keyboard.press("Delete");
  await desk.getByText("Deleted gnp").waitFor();
  await item("docs").click();
  await item("README.md").click({ modifiers: ["ControlOrMeta"] });
  yield "some chosen";
  await item("README.md").click();
  await page.keyboard.press("F2");
  await page.keyboard.type("docs/");
  await window.getByText("can't have a slash").waitFor();
  yield "a name that can't be given";
  await page.keyboard.press("Escape");
  await item("README.md").click({ button: "right" });
  await desk.getByRole("menuitem", { name: "Versions" }).waitFor();
  yield "a menu";
  await desk.getByRole("menuitem", { name: "Preview" }).click();
  await window.getByRole("heading", { name: "Bread" }).waitFor();
  yield "a preview";
  await window.getByRole("button", { name: "Versions", exact: true }).click();
  await window.getByText("+# Bread").waitFor();
  yield "versions";
  await window.getByRole("button", { name: "Deleted", exact: true }).click();
  await window.getByRole("button", { name: "Bring back gnp" }).waitFor();
  yield "what was deleted";
  await window.getByRole("button", { name: "Close the pane" }).click();
  await window.getByRole("button", { name: "Show as a grid" }).click();
  await window.locator(".files-tile").first().waitFor();
  yield "a grid";
  await window.getByRole("searchbox").fill("nothing like that");
  await window.getByText("No file or folder has a name").waitFor();
  yield "nothing found";
}

test.each(AUDITED)(
  "DESK-50: in a browser as at %s, all of Files can be read, has a name, and is within reach, in both themes",
  async (look, widths) => {
    const here = await filesWindow(await seat(), look, FILES);
    const faults: string[] = [];
    for await (const part of parts(here))
      faults.push(...(await faultsAt(here.page, frameOf(here.page), widths)).map((fault) => `${part}, ${fault}`));
    expect(faults).toEqual([]);
  },
);
