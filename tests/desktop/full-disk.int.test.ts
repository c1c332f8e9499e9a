import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choir, startServer, tempHome } from "../console/stage.ts";
import { CUT_OFF, eventually } from "./desk.ts";
import { draftHas, editing } from "./editor-window.ts";
import { showFiles } from "./files-window.ts";
import { seatAt, seats } from "./seat.ts";

const seat = seats();

const mounted = (size: string) => ["sh", "-c", `mount -t tmpfs -o size=${size} choir "$0" && exec "$@"`];

/** Mounts of its own take root, or a system that lets everybody have them. Where there is neither, the test can't be run. */
const OWN_MOUNTS = [["--mount"], ["--user", "--map-root-user", "--mount"]].find(
  (how) => spawnSync("unshare", [...how, ...mounted("1m"), tmpdir(), "true"]).status === 0,
);

/** As the server sees it: nobody else has that disk. */
function fill(disk: string): string {
  const ballast = join(disk, "ballast");
  spawnSync("sh", ["-c", 'cat /dev/zero > "$0"', ballast]);
  return ballast;
}

test("DESK-27, EDIT-6, FILES-9, FILES-10: on a full disk what can't be done is said with why, nobody says that all is kept, nothing that was typed is lost, and it is saved when there is room", async ({
  skip,
}) => {
  if (OWN_MOUNTS === undefined) return skip("nobody may mount a disk of their own here");
  const { browser } = await seat();
  const outside = tempHome();
  const within = ["unshare", ...OWN_MOUNTS, ...mounted("24m"), outside.path];
  const server = await startServer(outside, { within });
  const home = { ...outside, path: `/proc/${server.pid}/root${outside.path}` };
  const here = await editing(seatAt(browser, server, home), "1440 light", { bytes: "one\n", expectErrors: CUT_OFF });
  const { content, desk, page, status } = here;
  await page.keyboard.press("Control+Alt+ArrowLeft"); // while there is room: where windows are is kept, too
  const { names, window } = await showFiles(here);
  await page.keyboard.press("Control+Alt+ArrowRight");
  await eventually(() => window.getAttribute("data-state")).toBe("right");
  const ballast = fill(home.path);

  await window.getByRole("button", { name: "New", exact: true }).click();
  await desk.getByRole("menuitem", { name: "New folder" }).click();
  await desk.getByText(/The server's disk is full/).first().waitFor(); // biome-ignore format: in one line
  await eventually(names).toEqual(["notes.md"]);
  const said = desk.locator(".taskbar").getByText(/^Nothing can be kept at the moment: the server's disk is full/);
  await said.waitFor({ state: "attached" });
  const file = join(tempHome().path, "large.bin");
  writeFileSync(file, Buffer.alloc(3_000_000));
  await window.getByRole("button", { name: "New", exact: true }).click();
  const chooser = page.waitForEvent("filechooser");
  await desk.getByRole("menuitem", { name: "Upload files" }).click();
  await (await chooser).setFiles(file);
  await desk.getByRole("button", { name: "Notifications", exact: true }).click();
  const notices = desk.getByRole("region", { name: "Notifications so far" }).getByRole("listitem");
  await eventually(() => notices.filter({ hasText: "disk is full" }).count()).toBe(2);
  await page.keyboard.press("Escape");

  await content.press("Control+End");
  await page.keyboard.type("two");
  await content.press("Control+s");
  await here.window.getByText(/disk is full/).waitFor();
  expect(await status()).toBe("Kept in this browser");
  await eventually(() => draftHas(page, "two")).toBe(true);
  expect(await choir(home, ["cat", "notes.md"])).toBe("one\n");

  await eventually(() => page.locator(".pill.connection").innerText()).toContain("read-only");

  rmSync(ballast);
  await here.window.getByRole("button", { name: "Try again" }).click();
  await eventually(() => choir(home, ["cat", "notes.md"])).toBe("one\ntwo");
  expect(await names()).toEqual(["notes.md"]);
  await said.waitFor({ state: "detached" });
});
