import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, signIn } from "./served.ts";
import { choir, deskIn, newPage, signedIn, startServer, tempHome } from "./stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Every address that going back and forth in this page could lead to. */
async function historyOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send("Page.getNavigationHistory");
  return entries.map(({ url }) => url);
}

/** Presses Enter twice before the server has heard of the first. How often it was sent. */
async function enteredTwice(page: Page, to: string): Promise<() => number> {
  const held = Promise.withResolvers<void>();
  let sent = 0;
  await page.route(to, async (route) => {
    sent++;
    await held.promise;
    await route.continue();
  });
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  held.resolve();
  return () => sent;
}

test("CONSOLE-1: the printed address leads to the console, one click signs in, and no token stays in address or history", async () => {
  const server = await startServer(tempHome());
  const { host, hostname } = new URL(server.link);
  expect(hostname).toBe("localhost"); // which every browser knows
  const page = await newPage(browser);
  const broken: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") broken.push(message.text());
  });
  await page.goto(server.link);
  const button = page.getByRole("button", { name: "Sign in as ada" });
  await button.waitFor();
  expect(page.url()).toBe(`http://choir.${host}/`);
  await page.reload(); // which loses nothing
  await button.click();
  await page.getByRole("button", { name: "Account of ada" }).waitFor();
  await page.getByText("saved").waitFor();
  await deskIn(page);
  expect(await historyOf(page)).toEqual(["about:blank", `http://choir.${host}/`]);
  await page.reload();
  await page.getByRole("button", { name: "Account of ada" }).waitFor(); // without the link
  expect(broken).toEqual([]); // nothing inline was refused by the policy, among others
});

test("CONSOLE-2: a link that is over, or none, leads to name and password, and says how to get a new one", async () => {
  const server = await startServer(tempHome());
  const first = await signedIn(browser, server);
  await first.getByRole("button", { name: "Account of ada" }).click();
  await first.getByLabel("New password").fill(" ".repeat(12));
  await first.getByRole("button", { name: "Set", exact: true }).click();
  await first.getByText("A password of spaces alone is too easy to guess.").waitFor();
  await first.getByLabel("New password").fill("correct horse battery");
  const set = await enteredTwice(first, "**/api/auth/password");
  await first.getByText("The password is set.").waitFor();

  const page = await newPage(browser);
  await page.goto(server.link);
  await page.getByText(/^This link was used, or is older than 10 minutes/).waitFor();
  await page.getByText("npx choir user link", { exact: true }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("ada");
  await page.getByLabel("Password", { exact: true }).fill("wrong horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("The name or the password is wrong.").waitFor();
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Account of ada" }).waitFor();
  expect(set()).toBe(1);
});

test("CONSOLE-2: who tries too often is told for how long to wait", async () => {
  const server = await startServer(tempHome());
  const page = await newPage(browser);
  await page.goto(server.origin);
  await page.getByLabel("Name", { exact: true }).fill("ada");
  await page.getByLabel("Password", { exact: true }).fill("wrong horse battery");
  const send = page.getByRole("button", { name: "Sign in" });
  for (const many of [1, 2, 3, 4, 5, 6]) {
    const [answer] = await Promise.all([page.waitForResponse("**/api/auth/sign-in/username"), send.click()]);
    expect(answer.status()).toBe(many < 6 ? 401 : 429);
  }
  await page.getByText(/^That was too often\. Try again in \d+ seconds\.$/).waitFor();
});

test("CONSOLE-3: signing out everywhere ends the other browsers' sessions too, and they show the door", async () => {
  const server = await startServer(tempHome());
  const here = await signedIn(browser, server);
  await here.getByRole("button", { name: "Account of ada" }).click();
  await here.getByText("here", { exact: true }).waitFor();
  await here.getByRole("button", { name: "Sign out everywhere" }).click();
  await here.getByLabel("Password", { exact: true }).waitFor();
  await here.reload();
  await here.getByLabel("Password", { exact: true }).waitFor();
});

test("CONSOLE-4: computers are created, renamed and switched, and the desk is that of the chosen one", async () => {
  const server = await startServer(tempHome());
  const page = await signedIn(browser, server);
  await page.getByRole("button", { name: /^Computer ada/ }).click();
  await page.getByLabel("Another computer").fill("studio");
  const made = await enteredTwice(page, "**/api/computers");
  await page.getByRole("button", { name: /^Computer studio/ }).waitFor();
  await deskIn(page);
  await page.getByLabel("Name of this computer").fill("atelier");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await page.getByRole("button", { name: /^Computer atelier/ }).waitFor();
  expect(await page.locator("iframe").getAttribute("src")).toMatch(/^http:\/\/ada-[a-z0-9]{6}-desk\.localhost/);
  await page.getByLabel("Name of this computer").fill("atelier\u202e");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await page.getByRole("alert").getByText("A name must have no characters that can't be seen.").waitFor();
  await page.getByRole("list", { name: "Your computers" }).getByRole("button", { name: /^ada/ }).click();
  await page.getByRole("button", { name: /^Computer ada/ }).waitFor();
  expect(made()).toBe(1);
});

test("CONSOLE-24: a member comes in by a link of their own, and sees their own computers only", async () => {
  const home = tempHome();
  const server = await startServer(home);
  await choir(home, ["user", "add", "bob"]);
  const page = await signedIn(browser, { link: (await choir(home, ["user", "link", "bob"])).trim(), name: "bob" });
  await page.getByText("saved").waitFor();
  await page.getByRole("button", { name: /^Computer bob/ }).click();
  await expect.poll(() => page.getByRole("list", { name: "Your computers" }).getByRole("listitem").count()).toBe(1);
  await deskIn(page);
  const answers = await page.evaluate(async () => {
    const asked = ["/api/computers/ada/events", "/api/computers/ada/unfinished", "/api/computers/nobody/events"];
    return Promise.all(asked.map(async (path) => (await fetch(path)).status));
  });
  expect(answers).toEqual([404, 404, 404]);
  await page.getByRole("button", { name: "Account of bob" }).click();
  await page.getByText("member", { exact: true }).waitFor();
  const ada = await signedIn(browser, server);
  await ada.getByRole("button", { name: /^Computer ada/ }).click();
  await ada.getByRole("list", { name: "Your computers" }).getByText("ada", { exact: true }).first().waitFor();
  expect(await ada.getByText("bob").count()).toBe(0);
});

test("CONSOLE-33: where another account signed in in this browser, a page of the former one does nothing in its name", async () => {
  const home = tempHome();
  const ada = await signedIn(browser, await startServer(home));
  await choir(home, ["user", "add", "bob"]);
  const bob = await ada.context().newPage();
  const link = (await choir(home, ["user", "link", "bob"])).trim();
  await bob.goto(link);
  await bob.getByText("In this browser ada is signed in. Whoever signs in as bob signs ada out here.").waitFor();
  await bob.getByRole("button", { name: "Stay ada" }).click();
  await bob.getByRole("button", { name: "Account of ada" }).waitFor();
  await bob.goto("about:blank");
  await signIn(bob, { link, name: "bob" });
  await ada.getByRole("button", { name: /^Computer ada/ }).click();
  await ada.getByLabel("Another computer").fill("studio");
  await ada.getByRole("button", { name: "Create", exact: true }).click();
  await ada.getByText("In this browser bob is signed in now.").waitFor();
  await bob.reload();
  await bob.getByRole("button", { name: /^Computer bob/ }).click();
  await bob.getByRole("list", { name: "Your computers" }).getByText("bob", { exact: true }).first().waitFor();
  expect(await bob.getByText("studio").count()).toBe(0);
});

test("CONSOLE-34: who signs out is told so, also after coming by a link, and where it fails that it failed", async () => {
  const home = tempHome();
  const { link, port, stop } = await startServer(home);
  const page = await signedIn(browser, { link });
  await page.getByRole("button", { name: "Account of ada" }).click();
  await stop();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("You are still signed in.").waitFor();
  await startServer(home, { port });
  await page.getByText("saved").waitFor();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("You were signed out.").waitFor();
});
