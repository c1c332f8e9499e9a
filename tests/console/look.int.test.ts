import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { faultsOf } from "./audit.ts";
import type { Home } from "./home.ts";
import { launch, signIn } from "./served.ts";
import { choir, live, newPage, startServer, tempHome } from "./stage.ts";
import { chooseTheme } from "./theme.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** A computer where something happened and somebody waits. */
async function begun(): Promise<Home> {
  const home = tempHome();
  await live(home, async (computer) => {
    await computer.write("workspace/notes.md", Buffer.from("one\n"));
    await computer.write("workspace/notes.md", Buffer.from("two\n"));
    const why = `bash ${JSON.stringify({ command: "npm ci\n".repeat(90), hosts: ["registry.example.org"] })}`;
    const payload = { approval: "p1", covers: "network registry.example.org", why };
    // An agent's own would be answered by the start: no agent waits for it any more.
    await computer.log.append({ source: "system", type: "approval.asked", cause: { task: "t1" }, payload });
  });
  return home;
}

/** It can't be broken at a space. */
const LONG_NAME = "n".repeat(77);

/** Every part of the console, one after the other. */
async function* parts(page: Page, home: Home, link: string): AsyncGenerator<string> {
  await page.goto(link);
  const enter = page.getByRole("button", { name: "Sign in as ada" });
  await enter.waitFor();
  yield "the link's page";
  await enter.click();
  await page.getByText("saved").waitFor();
  yield "the frame";
  choir(home, ["exec", "--", "sleep", "1000"]).catch(() => {}); // it ends with the server
  await page.getByRole("button", { name: "Stop sleep 1000" }).waitFor();
  yield "the frame while a command runs";
  await page.getByRole("button", { name: "Approvals: 1 waiting" }).click();
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  yield "approvals";
  await page.getByRole("button", { name: /^Computer ada/ }).click();
  yield "computers";
  await page.getByLabel("Name of this computer").fill(LONG_NAME);
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await page.getByRole("listitem").filter({ hasText: LONG_NAME }).waitFor();
  yield "computers, one with a long name";
  await page.getByRole("button", { name: "Account of ada" }).click();
  await page.getByText("here", { exact: true }).waitFor();
  yield "the account";
  await page.getByRole("button", { name: "Time machine", exact: true }).click();
  await page.getByRole("slider", { name: "Moment" }).fill("2");
  yield "the time machine";
  for (const view of ["Files", "Changes"]) {
    const choice = page.getByRole("radio", { name: view });
    if (!(await choice.isVisible())) continue; // with room, all of them are there
    await choice.check();
    yield view;
  }
}

const WIDTHS = [
  [1280, 800],
  [390, 844],
] as const;

test.each(
  WIDTHS.flatMap(([width, height]) => (["dark", "light"] as const).map((theme) => [width, theme, height] as const)),
)(
  "CONSOLE-25, CONSOLE-26: at %i px and %s, all can be read, has a name, and is within reach",
  async (width, theme, height) => {
    const home = await begun();
    const { link } = await startServer(home);
    const page = await newPage(browser);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await chooseTheme(page, theme);
    const faults: string[] = [];
    for await (const part of parts(page, home, link)) {
      faults.push(...(await faultsOf(page)).map((fault) => `${part}: ${fault}`));
      const widths = await page.locator(".panel").evaluateAll((all) => all.map((one) => one.clientWidth));
      if (width === 390) expect(widths.filter((one) => one !== width)).toEqual([]); // not each part is a panel
    }
    expect(faults).toEqual([]);
  },
);

test("CONSOLE-25: at 390 px Stop has its place in the bar, also while the server can't be reached", async () => {
  const home = tempHome();
  const { link, stop } = await startServer(home);
  const page = await newPage(browser);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, { link });
  choir(home, ["exec", "--", "sleep", "1000"]).catch(() => {}); // it ends with the server
  const button = page.getByRole("button", { name: "Stop sleep 1000" });
  await button.waitFor();
  await stop();
  await page.getByText("It is tried again by itself.").waitFor({ state: "attached" });
  const sticksOut = await button.evaluate((one) => {
    const pill = one.closest(".running")?.getBoundingClientRect();
    return pill === undefined || one.getBoundingClientRect().right > pill.right;
  });
  expect(sticksOut).toBe(false);
});
