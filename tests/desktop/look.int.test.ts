import { expect, test } from "vitest";
import { frameOf, type OpenDesk, openDesk, say, windowOf } from "./desk.ts";
import { faultsAt } from "./look.ts";
import { seats } from "./seat.ts";

const seat = seats();

const APPS = [
  ["files", "workspace"],
  ["timeline", "Timeline"],
  ["settings", "Settings"],
  ["help undo", "Help"],
  ["open keys", "Keys"],
  ["open about", "About this computer"],
] as const;

/** Every part of the desktop, one after the other. */
async function* parts(here: OpenDesk): AsyncGenerator<string> {
  const { desk, page } = here;
  const welcome = await windowOf(here, "Welcome");
  yield "the welcome";
  await welcome.getByRole("button", { name: "Make them, and open one" }).click();
  const editor = await windowOf(here, "Read me.md");
  await welcome.getByRole("button", { name: "Close Welcome" }).press("Enter"); // it may be covered
  yield "the Editor and a notice";
  await desk.getByRole("button", { name: "Notifications", exact: true }).click();
  yield "all notices";
  await page.keyboard.press("Escape");
  await say(here, "what is it that I want");
  await desk
    .getByText(/Your words are kept/)
    .first()
    .waitFor();
  yield "an ask";
  await page.keyboard.down("Control");
  await page.keyboard.press("Backquote");
  yield "the switcher";
  await page.keyboard.up("Control");
  await say(here, "close");
  await editor.waitFor({ state: "detached" });
  await desk.getByRole("button", { name: "What can be said here" }).click();
  yield "all commands";
  await page.keyboard.press("Escape");
  await desk.getByRole("combobox").fill("op");
  yield "what is suggested";
  await page.keyboard.press("Escape");
  await desk.locator("main").click({ button: "right", position: { x: 300, y: 500 } });
  await desk.getByRole("menu").waitFor();
  yield "the desktop and its menu";
  await page.keyboard.press("Escape");
  for (const [said, title] of APPS) {
    await say(here, said);
    const window = await windowOf(here, title);
    yield title;
    await say(here, "close");
    await window.waitFor({ state: "detached" });
  }
}

test("DESK-50: at 1440, 1024 and 390 px, dark and light, all can be read, has a name, and is within reach", {
  timeout: 240_000,
}, async () => {
  const here = await openDesk(await seat(), "1440 dark", { welcome: true });
  const { page } = here;
  const frame = frameOf(page);
  const faults: string[] = [];
  for await (const part of parts(here)) {
    // The console around it stays the same.
    for (const where of part === "the welcome" ? [frame, page] : [frame])
      faults.push(...(await faultsAt(page, where, [390, 1024, 1440])).map((fault) => `${part}, ${fault}`));
  }
  expect(faults).toEqual([]);
});
