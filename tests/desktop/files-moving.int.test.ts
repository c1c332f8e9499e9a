import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { choir, startServer, tempHome } from "../console/stage.ts";
import { boxOf, CUT_OFF, eventually, frameOf, openDesk, say, windowOf } from "./desk.ts";
import { type FilesWindow, filesWindow, putFiles, showFiles } from "./files-window.ts";
import { seatAt, seats } from "./seat.ts";

const seat = seats();

const FEW = { "a.md": "# A\n", "b.txt": "b", "docs/x.md": "x" };

async function pick({ desk, page, window }: FilesWindow, what: "Upload files" | "Upload a folder", path: string) {
  await window.getByRole("button", { name: "New", exact: true }).click();
  const chooser = page.waitForEvent("filechooser");
  await desk.getByRole("menuitem", { name: what }).click();
  await (await chooser).setFiles(path);
}

/** As the browser does it: only then do folders tell what is in them. */
async function dropFromHost({ list, page }: FilesWindow, files: string[], onto = list): Promise<void> {
  const { x, y, height } = await boxOf(onto);
  const at = { x: x + 200, y: y + height - 10, data: { items: [], files, dragOperationsMask: 1 } };
  const session = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, ...at });
}

/** Of the first request to there: it is done, and the page hears of it once that is let go, or never. Others are answered. */
async function holdAnswer({ page }: FilesWindow, urlPattern: string) {
  const session = await page.context().newCDPSession(frameOf(page));
  await session.send("Fetch.enable", { patterns: [{ urlPattern, requestStage: "Response" }] });
  const { promise: held, resolve } = Promise.withResolvers<string>();
  session.once("Fetch.requestPaused", ({ requestId: first }) => {
    session.on("Fetch.requestPaused", ({ requestId }) => void session.send("Fetch.continueRequest", { requestId }));
    resolve(first);
  });
  return {
    held,
    letGo: async () => void (await session.send("Fetch.continueRequest", { requestId: await held })),
    async lose() {
      await session.send("Fetch.failRequest", { requestId: await held, errorReason: "ConnectionReset" });
      await session.send("Fetch.disable");
    },
  };
}

test("FILES-8: what is dragged to a folder or a step of the way moves there, with Ctrl it is copied", async () => {
  const here = await filesWindow(await seat(), "1024 light", FEW);
  const { item, names, page, window } = here;
  await item("a.md").getByText("a.md").dragTo(item("docs"));
  await eventually(names).toEqual(["docs", "b.txt"]);
  await page.keyboard.down("Control");
  await item("b.txt").getByText("b.txt").dragTo(item("docs"));
  await page.keyboard.up("Control");
  await here.desk.getByText("Copied b.txt to docs").waitFor();
  expect(await names()).toEqual(["docs", "b.txt"]);
  await item("docs").dblclick();
  await eventually(names).toEqual(["a.md", "b.txt", "x.md"]);
  await item("x.md")
    .getByText("x.md")
    .dragTo(window.getByRole("button", { name: "workspace" }));
  await eventually(names).toEqual(["a.md", "b.txt"]);
  await eventually(() => choir(here.home, ["files"])).toMatch(/ x\.md$/m);
});

test("DESK-36, DESK-41: what is dragged to the desktop lies where it was let go; what is dragged to the bar is named there", async () => {
  const here = await filesWindow(await seat(), "1440 dark", FEW);
  const { desk, item, page } = here;
  await item("a.md")
    .getByText("a.md")
    .dragTo(desk.locator("main"), { targetPosition: { x: 1250, y: 500 } });
  const icon = desk.getByRole("navigation", { name: "On the desktop" }).getByRole("button", { name: "a.md" });
  await icon.waitFor();
  const { x, y, width, height } = await boxOf(icon);
  expect([Math.abs(x + width / 2 - 1250) < 60, Math.abs(y + height / 2 - 540) < 70]).toEqual([true, true]);
  await item("a.md")
    .getByText("a.md")
    .dragTo(desk.locator("main"), { targetPosition: { x: 1250, y: 300 } });
  await eventually(async () => Math.abs((await boxOf(icon)).y - y) > 100).toBe(true);
  const bar = desk.getByRole("combobox");
  await bar.fill("shorten");
  await item("a.md").getByText("a.md").dragTo(bar);
  await eventually(() => bar.inputValue()).toBe("shorten @workspace/a.md ");
  await page.keyboard.type("to one line");
  expect(await bar.inputValue()).toBe("shorten @workspace/a.md to one line");
});

test("FILES-8: what is dragged from one window to another moves there", async () => {
  const here = await filesWindow(await seat(), "1440 light", FEW);
  await here.page.keyboard.press("Control+Alt+ArrowLeft");
  const other = await showFiles(here, "docs");
  await here.page.keyboard.press("Control+Alt+ArrowRight");
  await here.item("b.txt").getByText("b.txt").dragTo(other.list);
  await eventually(other.names).toEqual(["b.txt", "x.md"]);
  await eventually(here.names).toEqual(["docs", "a.md"]);
});

test("FILES-10: what is dropped from the host comes in once and under names that are free, folders with all in them; what can't come is named", async () => {
  const { browser } = await seat();
  const home = tempHome();
  writeFileSync(join(home.path, "config.toml"), "[server]\nupload_mb = 1\n");
  await putFiles(home, FEW);
  const own = seatAt(browser, await startServer(home), home);
  const here = await showFiles(await openDesk(own, "1024 dark", { expectErrors: CUT_OFF }));
  const host = join(home.path, "host");
  const files: Record<string, string | Buffer> = { "a.md": "mine", "photos/1.txt": "1", "photos/2.txt": "2" };
  files["photos/large.bin"] = Buffer.alloc(1_200_000);
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(host, name)), { recursive: true });
    writeFileSync(join(host, name), bytes);
  }
  mkdirSync(join(host, "photos/deep/empty"), { recursive: true });
  const answer = await holdAnswer(here, "*/file/workspace/photos/1.txt");
  await dropFromHost(here, [join(host, "a.md"), join(host, "photos")]);
  await answer.lose();
  await here.desk.getByText("large.bin wasn't uploaded: an upload has at most 1 MB here").waitFor();
  await here.desk.getByText("Uploaded 3 of 4 files to workspace").waitFor();
  await eventually(here.names).toEqual(["docs", "photos", "a 2.md", "a.md", "b.txt"]);
  expect(await choir(here.home, ["cat", "a 2.md"])).toBe("mine");
  const tree = await choir(here.home, ["files"]);
  for (const part of ["photos/1.txt", "photos/2.txt", "photos/deep/empty"]) expect(tree).toContain(part);
  expect((await choir(here.home, ["history", "photos/1.txt"])).trim().split("\n").length).toBe(1);
  await here.desk.locator(".toast", { hasText: "Uploaded" }).getByRole("button", { name: "Undo" }).click();
  await eventually(here.names).toEqual(["docs", "a.md", "b.txt"]);
});

test("FILES-10: a folder is uploaded with all that is in it, and one undo takes all of it back", async () => {
  const here = await filesWindow(await seat(), "390 light", FEW);
  const folder = join(tempHome().path, "photos");
  mkdirSync(join(folder, "deep"), { recursive: true });
  writeFileSync(join(folder, "one.txt"), "1");
  writeFileSync(join(folder, "deep", "two.txt"), "2");
  await pick(here, "Upload a folder", folder);
  await here.desk.getByText("Uploaded 2 files to workspace").waitFor();
  await eventually(here.names).toContain("photos");
  expect(await choir(here.home, ["cat", "photos/deep/two.txt"])).toBe("2");
  await here.list.focus();
  await here.page.keyboard.press("Control+z");
  await eventually(here.names).toEqual(["docs", "a.md", "b.txt"]);
});

test("FILES-10, FILES-11: an upload and a download show how far they are, and can be stopped", async () => {
  const here = await filesWindow(await seat(), "1024 light", { ...FEW, "film.mp4": Buffer.alloc(2_000_000) });
  const { desk, item, page, window } = here;
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/file/**", async (route) => {
    await held;
    await route.continue().catch(() => {}); // it was stopped
  });
  const file = join(tempHome().path, "large.bin");
  writeFileSync(file, Buffer.alloc(3_000_000));
  await pick(here, "Upload files", file);
  await window.getByText("Uploading large.bin").waitFor();
  await window.getByRole("button", { name: "Cancel" }).click();
  await desk.getByText("The upload was stopped. Nothing came in.").waitFor();
  await item("film.mp4").click({ button: "right" });
  await desk.getByRole("menuitem", { name: "Download" }).click();
  await window.getByText("Downloading film.mp4").waitFor();
  await window.getByRole("button", { name: "Cancel" }).click();
  await desk.getByText("The download was stopped.").waitFor();
  await window.getByRole("list", { name: "On their way" }).waitFor({ state: "detached" });
  letGo();
  expect(await here.names()).toEqual(["docs", "a.md", "b.txt", "film.mp4"]);
});

test("FILES-10: what was sent whole when an upload is stopped is waited for, and said to be there, with its undo", async () => {
  const here = await filesWindow(await seat(), "1440 dark", FEW);
  const { desk, list, names, page, window } = here;
  const file = join(tempHome().path, "large.bin");
  writeFileSync(file, Buffer.alloc(300_000));
  const answer = await holdAnswer(here, "*/file/workspace/large.bin");
  await pick(here, "Upload files", file);
  await answer.held;
  await window.getByRole("button", { name: "Cancel" }).click();
  await window.getByText("Stopping once the server has answered").waitFor();
  await answer.letGo();
  await desk.getByText("Uploaded large.bin to workspace").waitFor();
  expect(await desk.getByText("Nothing came in").count()).toBe(0);
  await eventually(names).toEqual(["docs", "a.md", "b.txt", "large.bin"]);
  await list.focus();
  await page.keyboard.press("Control+z");
  await eventually(names).toEqual(["docs", "a.md", "b.txt"]);
});

test("FILES-10: where the answer to what was sent whole breaks off after an upload is stopped, or never comes, the server is asked again whether it came in", async () => {
  const here = await filesWindow(await seat(), "1024 dark", FEW, { expectErrors: CUT_OFF });
  const { desk, home, names, page, window } = here;
  const file = join(tempHome().path, "large.bin");
  writeFileSync(file, Buffer.alloc(300_000));
  const stopped = async (name: string) => {
    const answer = await holdAnswer(here, `*/file/workspace/${name}`);
    await pick(here, "Upload files", file);
    await answer.held;
    await window.getByRole("button", { name: "Cancel" }).click();
    await window.getByText("Stopping once the server has answered").waitFor();
    return answer;
  };
  await (await stopped("large.bin")).lose();
  await desk.getByText("Uploaded large.bin to workspace").waitFor();
  await stopped("large%202.bin"); // and no answer comes
  await desk.getByText("Uploaded large 2.bin to workspace").waitFor();
  expect(await desk.getByText("Nothing came in").count()).toBe(0);
  expect((await choir(home, ["history", "large.bin"])).trim().split("\n").length).toBe(1);
  await here.list.focus();
  for (const left of [["large.bin"], []]) {
    await page.keyboard.press("Control+z");
    await eventually(names).toEqual(["docs", "a.md", "b.txt", ...left]);
  }
});

test("DESK-31: what was sent whole when a drop on the desktop is stopped is waited for, and said to be there, with its undo", async () => {
  const here = await filesWindow(await seat(), "1440 light", FEW, { expectErrors: CUT_OFF });
  const { desk, names } = here;
  const file = join(tempHome().path, "large.bin");
  writeFileSync(file, Buffer.alloc(300_000));
  const answer = await holdAnswer(here, "*/file/workspace/large.bin");
  await dropFromHost(here, [file], desk.locator("main"));
  await answer.held;
  await desk.locator(".toast").getByRole("button", { name: "Stop" }).click();
  await desk.locator(".going-on", { hasText: "Stopping once the server has answered" }).waitFor();
  await answer.lose();
  const told = desk.locator(".toast", { hasText: "large.bin is in workspace" });
  await told.getByRole("button", { name: "Undo" }).press("Enter"); // a click so soon after the one on Stop may be its double
  await eventually(names).toEqual(["docs", "a.md", "b.txt"]);
});

test("FILES-11: a file is downloaded as it is, several and folders as one archive", async () => {
  const { page, item } = await filesWindow(await seat(), "390 dark", FEW);
  const saved = async (): Promise<[string, Buffer]> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.frameLocator("iframe").getByRole("menuitem", { name: "Download" }).click(),
    ]);
    return [download.suggestedFilename(), readFileSync(await download.path())];
  };
  await item("a.md").click({ button: "right" });
  expect(await saved()).toEqual(["a.md", Buffer.from("# A\n")]);
  await item("docs").click();
  await item("b.txt").click({ modifiers: ["ControlOrMeta"] });
  await item("b.txt").click({ button: "right" });
  const [name, bytes] = await saved();
  expect(name).toBe("workspace.zip");
  const inside = bytes.toString("latin1");
  for (const part of ["docs/", "docs/x.md", "b.txt"]) expect(inside).toContain(part);
});

test("FILES-9, DESK-21: what is done while the server is away is seen at once or said to wait, and done when it is back", async () => {
  const here = await filesWindow(await seat(), "390 light", FEW, { expectErrors: CUT_OFF });
  const { desk, home, page, item, names } = here;
  await item("b.txt").click();
  await page.context().setOffline(true);
  await page.keyboard.press("Delete");
  await eventually(names).toEqual(["docs", "a.md"]);
  await say(here, "new doc x");
  await desk.getByText("“new doc x” waits for the connection").waitFor();
  await say(here, "files docs");
  const docs = await windowOf(here, "docs");
  await docs.getByText("once the connection is back").waitFor();
  await page.context().setOffline(false);
  await eventually(() => choir(home, ["files"])).not.toContain("b.txt");
  await docs.getByRole("option").first().waitFor();
  await desk.getByText("x.md is made").waitFor();
  await eventually(names).toEqual(["docs", "a.md", "x.md"]);
});
