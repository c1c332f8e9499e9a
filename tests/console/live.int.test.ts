import type { DirectorTask, Draft } from "@choiros/contract";
import type { Browser, Frame, Page, WebSocket } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Home } from "./home.ts";
import { launch } from "./served.ts";
import { choir, deskIn, listenTo, live, signedIn, startServer, tempHome } from "./stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** The last moment that the time machine knows. */
async function lastMoment(page: Page): Promise<number> {
  return Number(await page.getByRole("slider", { name: "Moment" }).getAttribute("max"));
}

test("CONSOLE-20: a page comes back by itself after a restart, has missed nothing, and hears nothing twice", async () => {
  const home = tempHome();
  // So that the desk has nobody to welcome, which would be an event.
  await live(home, async (computer) => void (await computer.write("workspace/z", Buffer.from("before"))));
  const { link, port, stop } = await startServer(home);
  let heard = { seqs: [] as readonly number[], sockets: [] as readonly unknown[] };
  const page = await signedIn(browser, { link }, async (page) => {
    heard = listenTo(page);
  });
  await page.getByText("saved").waitFor();
  await page.getByRole("button", { name: "Time machine" }).click();
  await choir(home, ["write", "a"], "one");
  await expect.poll(() => lastMoment(page)).toBe(3);
  expect(heard.sockets.length).toBe(1);
  await stop();
  await page.getByText("It is tried again by itself.").waitFor({ state: "attached" });
  await choir(home, ["write", "b"], "two");
  await startServer(home, { port });
  await page.getByText("saved").waitFor();
  await choir(home, ["write", "c"], "three");
  await expect.poll(() => lastMoment(page)).toBe(5);
  expect(heard.seqs).toEqual([3, 4, 5]);
  // With the token of the new run: what changes something works, too.
  await page.getByRole("slider", { name: "Moment" }).fill("3");
  await page.getByRole("button", { name: "Go back to here" }).click();
  await page.getByRole("button", { name: "Take back 2 changes" }).click();
  await page.getByText("as event 6.").waitFor();
});

test("CONSOLE-31: after a restart of the server the desk has a token of the new run, and is connected again", async () => {
  const home = tempHome();
  const { link, port, stop } = await startServer(home);
  const page = await signedIn(browser, { link });
  const desk = page.frameLocator("iframe");
  const connected = desk.getByText("Connected. Everything so far is on disk.");
  await connected.waitFor({ state: "attached" });
  await stop();
  await page.getByText("It is tried again by itself.").waitFor({ state: "attached" });
  await desk.getByText("offline").waitFor();
  await startServer(home, { port });
  await connected.waitFor({ state: "attached" });
});

test("CONSOLE-31: a desk that was loaded while the server was away is there as soon as that is back", async () => {
  const home = tempHome();
  const { link, port, stop } = await startServer(home);
  const page = await signedIn(browser, { link });
  await deskIn(page);
  await page.getByRole("button", { name: "Account of ada" }).click();
  await stop();
  await page.getByText("It is tried again by itself.").waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  await page.locator("iframe").waitFor();
  await startServer(home, { port });
  await deskIn(page);
});

test("CONSOLE-3, CONSOLE-21: a page whose session was ended elsewhere, in a list that stands still, shows the door at once, and its socket is closed", async () => {
  const home = tempHome();
  const server = await startServer(home);
  const here = await signedIn(browser, server);
  await here.getByText("saved").waitFor();
  const link = (await choir(home, ["user", "link"])).trim();
  let sockets: readonly WebSocket[] = [];
  const there = await signedIn(browser, { link }, async (page) => {
    sockets = listenTo(page).sockets;
  });
  await there.getByText("saved").waitFor();
  const closed = Promise.all(sockets.map(async (one) => one.isClosed() || one.waitForEvent("close")));
  await here.clock.install();
  await here.clock.pauseAt(Date.now() + 10_000); // not yet past when it gets there
  await here.getByRole("button", { name: "Account of ada" }).click();
  const signOut = here.getByRole("list").getByRole("button", { name: "Sign out" });
  await signOut.waitFor();
  expect(await signOut.isDisabled()).toBe(true); // another could have stood there
  await here.clock.runFor(500);
  await here.clock.resume();
  await signOut.click();
  await closed;
  await there.getByText("You were signed out.").waitFor();
  await here.getByText("saved").waitFor();
});

test("CONSOLE-22: what is running is shown with its command, however it was called, and Stop ends it, with the keyboard in the bar", async () => {
  const home = tempHome();
  const server = await startServer(home);
  const page = await signedIn(browser, server);
  const ran = choir(home, ["exec", "--", "sleep", "100"]).catch((error: { code: unknown }) => error);
  await page.getByText("You · sleep 100").waitFor();
  await page.reload(); // who comes later sees it, too
  await page.getByText("You · sleep 100").waitFor();
  await page.getByRole("button", { name: "Stop sleep 100" }).press("Enter");
  expect(await ran).toMatchObject({ code: expect.any(Number) });
  await page.getByText("You · sleep 100").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Stop sleep 100" }).waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe("bar");
  await page.getByRole("button", { name: "Time machine" }).click();
  await page.getByRole("option", { name: /Was stopped/ }).waitFor();
});

test("CONSOLE-22: a Stop that is pressed before the page is connected is heard once it is", async () => {
  const home = tempHome();
  const server = await startServer(home);
  const page = await signedIn(browser, server);
  const ran = choir(home, ["exec", "--", "sleep", "100"]).catch((error: { code: unknown }) => error);
  await page.getByText("You · sleep 100").waitFor();
  const pressed = Promise.withResolvers<void>();
  await page.routeWebSocket(`ws://${new URL(page.url()).host}/api/ws`, async (socket) => {
    const said: (string | Buffer)[] = [];
    socket.onMessage((message) => said.push(message));
    await pressed.promise;
    const answering = socket.connectToServer();
    socket.onMessage((message) => answering.send(message));
    for (const message of said) answering.send(message);
  });
  await page.reload();
  await page.getByRole("button", { name: "Stop sleep 100" }).click();
  pressed.resolve();
  expect(await ran).toMatchObject({ code: expect.any(Number) });
  await page.getByText("You · sleep 100").waitFor({ state: "detached" });
});

test("CONSOLE-20, DESK-27: a question for the server's health that nobody answers says nothing any more once a newer one was answered", async () => {
  const asked = new Set<Frame>();
  const over = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const page = await signedIn(browser, await startServer(tempHome()), async (page) => {
    await page.route("**/api/health", async (route) => {
      const frame = route.request().frame();
      if (asked.has(frame)) return route.continue();
      asked.add(frame); // the first of each is never answered
      const mine = over[asked.size - 1];
      page.on("requestfailed", (request) => request === route.request() && mine?.resolve());
    });
  });
  const saved = page.locator(".pill.connection").getByText("saved", { exact: true });
  const onDisk = page.frameLocator("iframe").getByText("Connected. Everything so far is on disk.");
  await Promise.all([saved.waitFor(), onDisk.waitFor({ state: "attached" })]);
  await Promise.all(over.map(({ promise }) => promise));
  for (const frame of asked)
    await frame.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  expect([await saved.count(), await onDisk.count()]).toEqual([1, 1]);
});

test("CONSOLE-20: where it is never answered what isn't over when a page begins, that is asked again", async () => {
  let asked = 0;
  const page = await signedIn(browser, await startServer(tempHome()), async (page) => {
    await page.route("**/unfinished", (route) => (++asked === 1 ? undefined : route.continue()));
  });
  await page.locator(".pill.connection").getByText("saved", { exact: true }).waitFor();
  expect(asked).toBe(2);
});

test("CONSOLE-35: where commands run without a sandbox the bar says so", async () => {
  const server = await startServer(tempHome());
  const page = await signedIn(browser, server, async (page) => {
    const json = { log: {}, ready: true, unsafe: true };
    await page.route("**/api/health", (route) => route.fulfill({ json }));
  });
  await page.getByText("no sandbox").waitFor();
});

test("CONSOLE-32: the desk has the theme that was chosen for the frame, whatever the system's is", async () => {
  const page = await signedIn(browser, await startServer(tempHome()), (page) =>
    page.emulateMedia({ colorScheme: "light" }),
  );
  const back = () =>
    page
      .frameLocator("iframe")
      .locator("html")
      .evaluate((html) => getComputedStyle(html).backgroundColor);
  await expect.poll(back).toBe("rgb(11, 11, 12)");
  await page.getByRole("button", { name: "Account of ada" }).click();
  await page.getByLabel("Light").check({ force: true });
  await page.keyboard.press("Escape");
  await expect.poll(back).toBe("rgb(233, 231, 225)");
});

/** An approval, and so much after it that nobody finds it among the last events. */
async function askedLongAgo(home: Home): Promise<void> {
  await live(home, async ({ log }) => {
    const asks = (approval: string, covers: string): Draft => ({
      source: "system", // an agent's own would be answered by the start: no agent waits for it any more
      type: "approval.asked",
      cause: { ask: "a1", task: "t1" },
      payload: { approval, covers, why: "The tests need it." },
    });
    const said = { text: "Make the tests pass" };
    const cause = { ask: "a1", conversation: "a1" };
    await log.append({ id: "a1", source: "user", type: "message", cause, payload: said });
    const task: DirectorTask = {
      ...{ acceptance_criteria: [], allowed_tools: ["bash"], egress: "none", kind: "run", paths: [], verify: [] },
      ...{ instruction: "Run them, and mend what fails.", task_id: "t1", time_budget_s: 60 },
    };
    await log.append({ source: "agent", type: "task.planned", cause: { ...cause, task: "t1" }, payload: task });
    await log.append(asks("p1", "Reach registry.example.org"));
    await log.append(asks("p2", "Write to /artifacts"));
    const text = { source: "user", type: "message", payload: { text: "go on" } } as const;
    await Promise.all(Array.from({ length: 300 }, () => log.append(text)));
  });
}

test("CONSOLE-23: an approval is found however long ago it was asked, answered by keyboard, and gone in every browser", async () => {
  const home = tempHome();
  await askedLongAgo(home);
  const server = await startServer(home);
  const page = await signedIn(browser, server);
  const other = await signedIn(browser, { link: (await choir(home, ["user", "link"])).trim() });
  for (const one of [page, other]) await one.getByRole("button", { name: "Approvals: 2 waiting" }).waitFor();
  await page.getByText("2 approvals waiting for your answer").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Approvals: 2 waiting" }).press("Enter");
  const waiting = page.getByRole("list", { name: "Waiting for your answer" });
  const first = waiting.getByRole("listitem", { name: "Reach registry.example.org" });
  await first.getByText("The tests need it.").waitFor();
  await first.getByText("for “Make the tests pass”").waitFor();
  await first.getByText("Task: Run them, and mend what fails.").waitFor();
  await first.getByRole("button", { name: "Allow once" }).click({ trial: true }); // it can be answered by now
  await page.keyboard.press("Tab"); // Close
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await first.waitFor({ state: "detached" });
  await waiting.getByRole("listitem", { name: "Write to /artifacts" }).getByRole("button", { name: "Deny" }).click();
  await page.getByText("Nothing waits for you.").waitFor();
  await other.getByRole("button", { name: "Approvals: none waiting" }).waitFor();
  const given = await choir(home, ["events", "--json", "--type", "approval.given"]);
  const lines = given
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).payload);
  expect(lines).toEqual([
    { approval: "p1", decision: "once" },
    { approval: "p2", decision: "denied" },
  ]);
});
