import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectHome } from "../agent/headless.ts";
import { type ScriptedModel, scriptedModel } from "../model/scripted-model.ts";
import type { Home } from "./home.ts";
import { launch } from "./served.ts";
import { deskIn, signedIn, startServer, tempHome } from "./stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function opened({ connected = false } = {}): Promise<{ home: Home; page: Page; scripted: ScriptedModel }> {
  const [home, scripted] = [tempHome(), await scriptedModel()];
  onTestFinished(() => scripted.close());
  if (connected) connectHome(home.path, scripted);
  const page = await signedIn(browser, await startServer(home));
  await deskIn(page);
  await page.getByRole("button", { name: "Agents: models, and what they may do" }).click();
  await page.getByRole("heading", { name: "What they may do" }).waitFor();
  await fitted(page);
  return { home, page, scripted };
}

/** Until then Chromium may give a click beside the desk to the desk. */
async function fitted(page: Page): Promise<void> {
  const iframe = page.locator("iframe");
  const inside = page.frameLocator("iframe").locator("html");
  await expect
    .poll(async () => (await inside.evaluate(() => innerWidth)) - ((await iframe.boundingBox())?.width ?? 0))
    .toBeCloseTo(0, 0);
}

test("CONSOLE-49: the desk stays while somebody looks at agents, with what was typed there, and is away from when a key is typed", async () => {
  const { page } = await opened();
  await page.getByRole("button", { name: "Close Agents" }).click();
  const bar = page.frameLocator("iframe").getByRole("combobox", { name: "Ask for anything" });
  await bar.fill("half a sentence");
  await page.getByRole("button", { name: "Agents: models, and what they may do" }).click();
  await page.getByLabel("Provider", { exact: true }).selectOption("openai-compatible");
  await page.getByLabel("Address, up to and with /v1").fill("http://127.0.0.1:9/v1");
  expect(await bar.inputValue()).toBe("half a sentence");
  await page.getByLabel("Key, where it needs one").focus();
  await page.locator("iframe").waitFor({ state: "detached" });
  await page.getByText("The desktop is away while passwords and keys are typed").waitFor();
  await page.getByLabel("Address, up to and with /v1").focus();
  expect(await page.locator("iframe").count()).toBe(0); // what was typed is still in its field
  await page.getByRole("button", { name: "Close Agents" }).click();
  await deskIn(page);
});

test("CONSOLE-49: an address where nobody answers is kept and told so, and what a role shows is what it sends", async () => {
  const { page, scripted } = await opened({ connected: true });
  const panel = page.getByRole("complementary", { name: "Agents" });
  const director = panel.getByRole("group", { name: "Director" });
  await panel.getByLabel("Provider", { exact: true }).selectOption("openai-compatible");
  for (const [name, address] of [
    ["nobody", "http://127.0.0.1:9/v1"],
    ["workshop", `${scripted.url}/v1`],
  ] as const) {
    await panel.getByLabel("Address, up to and with /v1").fill(address);
    await panel.getByLabel("Name for it here").fill(name);
    await panel.getByRole("button", { name: "Connect", exact: true }).last().click();
    const told = name === "nobody" ? /^Kept, but which models it has isn't known/ : /^Connected\. /;
    await panel.getByText(told).waitFor();
  }
  await panel.getByRole("listitem").filter({ hasText: "nobody" }).getByText("It can't be reached.").waitFor();
  await director.getByLabel("Provider of the Director").selectOption("nobody");
  const disconnect = (name: string) =>
    panel.getByRole("listitem").filter({ hasText: name }).getByRole("button", { name: "Disconnect" });
  await disconnect("nobody").click({ trial: true });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 10_000); // not yet past when it gets there
  await disconnect("nobody").click();
  await disconnect("nobody").waitFor({ state: "detached" });
  expect(await disconnect("workshop").isDisabled()).toBe(true); // its row stands where another stood
  await page.clock.runFor(500);
  await page.clock.resume();
  await expect.poll(() => disconnect("workshop").isDisabled()).toBe(false);
  const shown = director.getByLabel("Provider of the Director");
  await expect.poll(() => shown.inputValue()).not.toBe("nobody");
  await shown.selectOption("workshop");
  await director.getByLabel("Model of the Director").fill("");
  scripted.play(["OK"]);
  await director.getByRole("button", { name: "Test" }).click();
  await director.getByText(/^scripted-one answered in /).waitFor(); // the first that it lists
  const chosen = (await shown.inputValue()) ?? "";
  await director.getByLabel("Model of the Director").fill("scripted-two");
  const held = Promise.withResolvers<void>();
  await page.route("**/api/models/roles/director", async (route) => {
    await held.promise;
    await route.continue();
  });
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/models/roles/director"));
  await director.getByRole("button", { name: "Use" }).click();
  expect((await sent).postDataJSON()).toEqual({ model: "scripted-two", provider: chosen });
  await director.getByLabel("Model of the Director").fill("scripted-three");
  held.resolve();
  await director.getByText("scripted-two is the Director now.").waitFor();
  expect(await director.getByLabel("Model of the Director").inputValue()).toBe("scripted-three");
});

test("CONSOLE-49: what is wrong with the rules is said in sight of the button, and the defaults can be had back", async () => {
  const { page } = await opened();
  const rules = page.getByRole("textbox", { name: "What they may do" });
  await rules.click(); // once it is there
  const usual = await rules.inputValue();
  await rules.fill("allow = 5\n");
  await page.getByRole("button", { name: "Save" }).click();
  const problem = page.getByText(/policy\.toml:1: /);
  await expect.poll(() => problem.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  await rules.fill("# mine\n");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. It holds at once.").waitFor();
  await page.getByRole("button", { name: "Back to the defaults" }).click();
  expect(await rules.inputValue()).toBe(usual);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. It holds at once.").waitFor();
});

test("CONSOLE-50: rules that somebody else changed meanwhile are shown with what changed, and lost by no save", async () => {
  const { home, page } = await opened();
  const file = join(home.path, "policy.toml");
  const rules = page.getByRole("textbox", { name: "What they may do" });
  const meanwhile = page.getByRole("region", { name: /^policy\.toml was changed meanwhile/ });
  await rules.fill("# mine\n");
  writeFileSync(file, 'always = ["network example.org"]\n');
  await page.getByRole("button", { name: "Save", exact: true }).dblclick(); // the second press was for what stood there
  await meanwhile.waitFor();
  expect(readFileSync(file, "utf8")).toBe('always = ["network example.org"]\n');
  expect(await meanwhile.locator(".added").allTextContents()).toContain('+always = ["network example.org"]');
  expect(await rules.inputValue()).toBe("# mine\n");
  const bottom = () => meanwhile.evaluate((one) => one.getBoundingClientRect().bottom - innerHeight);
  await expect.poll(bottom).toBeLessThanOrEqual(0);
  expect(await meanwhile.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await meanwhile.getByRole("button", { name: "Take theirs" }).click();
  expect(await rules.inputValue()).toBe('always = ["network example.org"]\n');
  await rules.fill("# mine again\n");
  writeFileSync(file, "# theirs\n");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await meanwhile.locator(".added", { hasText: "# theirs" }).waitFor();
  writeFileSync(file, "# theirs again\n");
  await meanwhile.getByRole("button", { name: "Save mine over it" }).click(); // over what is shown, and it isn't that any more
  await meanwhile.locator(".added", { hasText: "# theirs again" }).waitFor();
  await expect.poll(() => meanwhile.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await meanwhile.getByRole("button", { name: "Save mine over it" }).click();
  await page.getByText("Saved. It holds at once.").waitFor();
  expect(await meanwhile.count()).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("# mine again\n");
  await rules.fill("# and more\n");
  await page.getByText("Saved. It holds at once.").waitFor({ state: "detached" });
});

test("CONSOLE-50: rules that were saved when the panel was closed already are nobody else's change", async () => {
  const { home, page } = await opened();
  const rules = page.getByRole("textbox", { name: "What they may do" });
  await rules.fill("# mine\n");
  const session = await page.context().newCDPSession(page);
  const answered = new Promise<string>((resolve) =>
    session.once("Fetch.requestPaused", ({ requestId }) => resolve(requestId)),
  );
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/api/policy", requestStage: "Response" }] });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const requestId = await answered;
  await page.keyboard.press("Escape");
  await rules.waitFor({ state: "detached" });
  await session.send("Fetch.continueRequest", { requestId });
  await session.send("Fetch.disable");
  expect(readFileSync(join(home.path, "policy.toml"), "utf8")).toBe("# mine\n");
  const read = page.waitForResponse("**/api/policy");
  await page.getByRole("button", { name: "Agents: models, and what they may do" }).click();
  await (await read).finished();
  await expect.poll(() => rules.inputValue()).toBe("# mine\n");
  await rules.fill("# mine, and more\n");
  await page.getByRole("button", { name: "Drop my changes" }).waitFor(); // no one else's are there
  expect(await page.getByText("is still here").count()).toBe(0);
});

test("CONSOLE-50: rules that were typed and not saved are there when the panel is opened again, and none at all are the defaults", async () => {
  const { home, page } = await opened();
  const file = join(home.path, "policy.toml");
  const rules = page.getByRole("textbox", { name: "What they may do" });
  await rules.click(); // once it is there
  const usual = await rules.inputValue();
  await rules.fill("# half a th");
  await page.keyboard.press("Escape");
  await rules.waitFor({ state: "detached" });
  const open = page.getByRole("button", { name: "Agents: models, and what they may do" });
  await open.click();
  await page.getByText("What you typed before is still here. It isn't saved.").waitFor();
  expect(await rules.inputValue()).toBe("# half a th");
  await page.getByRole("button", { name: "Drop my changes" }).click();
  expect(await rules.inputValue()).toBe(usual);
  await rules.fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Where nothing is said the defaults hold: they are shown here.").waitFor();
  expect([readFileSync(file, "utf8"), await rules.inputValue()]).toEqual(["", usual]);
  await page.getByRole("button", { name: "Close Agents" }).click();
  await open.click();
  await expect.poll(() => rules.inputValue()).toBe(usual);
});
