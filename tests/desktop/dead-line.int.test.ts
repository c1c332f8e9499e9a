import { kill } from "node:process";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { FLAGS } from "../console/served.ts";
import { choir, startServer, tempHome } from "../console/stage.ts";
import { CUT_OFF, eventually, openDesk, say, typesIn } from "./desk.ts";
import { fileIn, inEditor } from "./editor-window.ts";
import { freezingProxy } from "./freezing-proxy.ts";
import { seatAt } from "./seat.ts";

const ON_DISK = "Connected. Everything so far is on disk.";

/** A desk at a server and a browser of its own; between them a line that can go dead. */
async function deskBehindProxy() {
  const home = tempHome();
  const server = await startServer(home);
  const proxy = await freezingProxy(server.port);
  const hosts = ["choir", `${home.user}-desk`].map(
    (name) => `MAP ${name}.localhost:${server.port} 127.0.0.1:${proxy.port}`,
  );
  const args = [...FLAGS, `--host-resolver-rules=${hosts.join(", ")}`];
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
  onTestFinished(() => browser.close());
  const here = await openDesk(seatAt(browser, server, home), "1440 dark", { expectErrors: CUT_OFF });
  const saved = here.page.locator(".pill.connection").getByText("saved", { exact: true });
  const onDisk = here.desk.locator(".taskbar").getByText(ON_DISK);
  await Promise.all([saved.waitFor(), onDisk.waitFor({ state: "attached" })]);
  return { ...here, freeze: proxy.freeze, onDisk, saved, server };
}

test("DESK-21, DESK-27, CONSOLE-20: a line that is dead without being closed is noticed, and another is opened, over which what was done is done once", async () => {
  const here = await deskBehindProxy();
  const { desk, home, onDisk, saved } = here;
  const before = await typesIn(home);
  here.freeze();
  await say(here, "new folder half-open");
  await onDisk.waitFor({ state: "detached", timeout: 5000 });
  await saved.waitFor({ state: "detached", timeout: 10_000 });
  await desk.getByText("half-open is made").first().waitFor({ timeout: 40_000 }); // biome-ignore format: in one line
  await Promise.all([saved.waitFor(), onDisk.waitFor({ state: "attached" })]);
  await eventually(async () => (await typesIn(home)).slice(before.length)).toEqual(["dir.create"]);
});

test("DESK-27, EDIT-6: what is saved over a line that is dead is saved over another, and until then nobody says that all is kept", async () => {
  const here = await deskBehindProxy();
  const { home, onDisk, page } = here;
  await choir(home, ["write", "notes.md"], "one\n");
  await say(here, "open notes.md");
  const { content, status } = await inEditor(here, "notes.md");
  await content.click();
  await page.keyboard.press("Control+End");
  here.freeze();
  await page.keyboard.type("two");
  await page.keyboard.press("Control+s");
  await onDisk.waitFor({ state: "detached", timeout: 5000 });
  await eventually(() => fileIn(home, "notes.md"), { timeout: 40_000 }).toBe("one\ntwo");
  await eventually(status).toBe("Saved");
  await onDisk.waitFor({ state: "attached" });
});

test("DESK-27: while the server is held up nobody says that all is kept, and a page with what isn't kept asks before it goes", async () => {
  const here = await deskBehindProxy();
  const { desk, onDisk, page, saved, server } = here;
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  kill(server.pid, "SIGSTOP");
  onTestFinished(() => void kill(server.pid, "SIGCONT"));
  await say(here, "new folder held-up");
  await desk.locator(".taskbar").getByText(/^The server hasn't answered yet/).waitFor({ state: "attached", timeout: 5000 }); // biome-ignore format: in one line
  expect(await onDisk.count()).toBe(0);
  await page.evaluate(() => location.reload());
  await expect.poll(() => asked).toEqual(["beforeunload"]);
  await saved.waitFor({ state: "detached", timeout: 10_000 });
  kill(server.pid, "SIGCONT");
  await desk.getByText("held-up is made").first().waitFor(); // biome-ignore format: in one line
  await Promise.all([saved.waitFor(), onDisk.waitFor({ state: "attached" })]);
});
