import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, type Started } from "./served.ts";
import { live, signedIn, startServer, tempHome } from "./stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** The console around a desk whose page is this script, from the desk's own origin. */
async function around(script: string): Promise<{ page: Page; server: Started }> {
  const home = tempHome();
  await live(home, async (computer) => {
    await computer.write("workspace/notes.md", Buffer.from("one\n"));
    await computer.write("workspace/notes.md", Buffer.from("two\n"));
  });
  const server = await startServer(home);
  const page = await signedIn(browser, server, async (page) => {
    await page.route(`${server.desk}/**`, (route) =>
      new URL(route.request().url()).pathname === "/own.js"
        ? route.fulfill({ contentType: "text/javascript", body: script })
        : route.fulfill({ contentType: "text/html", body: '<!doctype html><script src="/own.js"></script>' }),
    );
  });
  return { page, server };
}

async function deskOf(page: Page, { desk }: Started): Promise<Frame> {
  await page.frameLocator("iframe").locator("html").waitFor({ state: "attached" });
  const frame = page.frames().find((one) => one.url().startsWith(desk));
  if (frame === undefined) throw new Error("there is no desk");
  return frame;
}

/** Everything that somebody needs who wants to get rid of what the desk does. */
async function expectInControl(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Time machine" }).click();
  await page.getByRole("slider", { name: "Moment" }).fill("2");
  await page.getByRole("button", { name: "Go back to here" }).click();
  await page.getByRole("button", { name: "Take back 1 change" }).click();
  await page.getByText("Done: 1 change, as event 4.").waitFor();
}

test("CONSOLE-10: a desk that wants to cover, leave, pop up or ask gets nothing but its own place", async () => {
  const { page, server } = await around("document.documentElement.innerHTML = '<body>mine</body>'");
  const desk = await deskOf(page, server);
  const got = await desk.evaluate(async () => {
    const cover = document.createElement("div");
    cover.setAttribute("style", "position:fixed;inset:-9999px;z-index:2147483647;background:red");
    document.body.append(cover);
    const tried: Record<string, unknown> = {};
    tried.popUp = window.open("about:blank");
    tried.asked = window.confirm("Is this the console?");
    tried.fullScreen = await cover.requestFullscreen().then(
      () => true,
      () => false,
    );
    try {
      (window.top ?? window).location.href = "about:blank#gone";
    } catch {
      tried.left = false;
    }
    return tried;
  });
  expect(got).toEqual({ popUp: null, asked: false, fullScreen: false, left: false });
  expect(page.url()).toBe(`${server.origin}/`);
  const bar = await page.evaluate(() => document.elementFromPoint(innerWidth / 2, 39)?.closest("header")?.className);
  expect(bar).toBe("bar");
  await expectInControl(page);
});

test("CONSOLE-11: a desk can read nothing of the console: not its page, not its cookie, not its API", async () => {
  const { page, server } = await around("");
  const desk = await deskOf(page, server);
  const got = await desk.evaluate(async (origin) => {
    const read = (what: () => unknown) => {
      try {
        return String(what());
      } catch {
        return "refused";
      }
    };
    const answer = await fetch(`${origin}/api/me`, { credentials: "include" }).then(
      (response) => response.text(),
      () => "refused",
    );
    return {
      answer,
      cookie: document.cookie,
      page: read(() => parent.document.title),
      stored: read(() => parent.localStorage.length),
    };
  }, server.origin);
  expect(got).toEqual({ answer: "refused", cookie: "", page: "refused", stored: "refused" });
});

test("CONSOLE-12: the token goes to the desk's own origin, and to no page that took its place", async () => {
  const ask =
    "addEventListener('message', (m) => { window.given = m.data; }); parent.postMessage({ choir: { type: 'hello' } }, '*');";
  const { page, server } = await around(ask);
  const desk = await deskOf(page, server);
  await desk.waitForFunction(() => "given" in window);
  const other = server.desk.replace("ada-desk", "eve-desk");
  await page.route(`${other}/**`, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>eve" }));
  await desk.evaluate((to) => location.assign(to), `${other}/`).catch(() => {});
  const eve = page.frameLocator("iframe");
  await eve.getByText("eve").waitFor();
  const frame = page.frames().find((one) => one.url().startsWith(other));
  const given = await frame?.evaluate(async () => {
    const heard: unknown[] = [];
    addEventListener("message", (message) => heard.push(message.data));
    parent.postMessage({ choir: { type: "hello" } }, "*");
    const answered = await fetch("/nothing"); // a way to the server and back, in which an answer would have come
    return { answered: answered.ok, heard };
  });
  expect(given).toEqual({ answered: true, heard: [] });
});

const GREEDY = `
  document.documentElement.innerHTML = '<body><input id="trap"></body>';
  setInterval(() => { window.focus(); document.getElementById('trap').focus(); }, 5);`;

test("CONSOLE-13: where a password is typed there is no desk, and it is back afterwards", async () => {
  const { page, server } = await around(GREEDY);
  await deskOf(page, server);
  await page.getByRole("button", { name: "Account of ada" }).click();
  const field = page.getByLabel("New password");
  await field.click();
  await page.keyboard.type("correct horse battery", { delay: 10 });
  expect(await field.inputValue()).toBe("correct horse battery");
  expect(page.frames().length).toBe(1);
  await page.keyboard.press("Escape");
  await deskOf(page, server);
});

test("CONSOLE-16: a desk that moves its own focus just as a panel opens isn't stopped, and the panel has the keys", async () => {
  const { page, server } = await around("document.documentElement.innerHTML = '<body><input></body>'");
  const desk = await deskOf(page, server);
  await page.getByRole("button", { name: /^Computer ada/ }).click();
  const field = page.getByLabel("Another computer");
  await field.click();
  await page.locator("iframe").evaluate((frame: HTMLIFrameElement) => {
    frame.inert = false; // as it is for a page that hasn't heard of the panel yet
  });
  await desk.evaluate(() => {
    window.focus();
    document.querySelector("input")?.focus();
  });
  await expect
    .poll(() => page.evaluate(() => [document.hasFocus(), document.activeElement?.id]))
    .toEqual([true, "create"]);
  await page.keyboard.type("studio");
  expect(await field.inputValue()).toBe("studio");
  expect(await desk.locator("input").inputValue()).toBe("");
  expect(await page.getByText("it took the keyboard").count()).toBe(0);
});

test("CONSOLE-16: a desk that goes on taking the focus from an open panel is stopped, and the keys go on working", async () => {
  const { page, server } = await around(GREEDY);
  await deskOf(page, server);
  await page.getByRole("button", { name: /^Computer ada/ }).click();
  await page.getByText("it took the keyboard").waitFor();
  expect(page.frames().length).toBe(1);
  await page.getByLabel("Another computer").click();
  await page.keyboard.type("studio");
  expect(await page.getByLabel("Another computer").inputValue()).toBe("studio");
});

const HOLDING = `
  document.addEventListener('keydown', (event) => { event.preventDefault(); event.stopPropagation(); }, true);
  setInterval(() => window.focus(), 1);`;

test("CONSOLE-16: a desk that holds the keyboard while no panel is open is stopped, and Tab goes through the bar", async () => {
  const { page, server } = await around(HOLDING);
  await page.goto("about:blank");
  const stopped = page.waitForEvent("framedetached"); // looking into the page would count as a press in it
  await page.goto(server.origin);
  await stopped;
  await page.getByText("it took the keyboard").waitFor();
  expect(page.frames().length).toBe(1);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("header")?.className)).toBe("bar");
  await page.reload();
  await page.getByText("it took the keyboard").waitFor();
  await expectInControl(page);
});

test("CONSOLE-16: who goes into the desk by a press or by Tab stays there, and comes out by Tab", async () => {
  const { page, server } = await around("document.documentElement.innerHTML = '<body><input></body>'");
  const desk = await deskOf(page, server);
  const inDesk = () => desk.evaluate(() => document.hasFocus());
  await page.getByRole("button", { name: "Account of ada" }).focus();
  await page.keyboard.press("Tab");
  await expect.poll(inDesk).toBe(true);
  await desk.locator("input").press("Shift+Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe("avatar");
  await desk.locator("input").click();
  await page.keyboard.type("hello");
  expect(await desk.locator("input").inputValue()).toBe("hello");
});

test("CONSOLE-17: the address with #recover opens the frame without the desk, at once and after a reload, until it is wanted", async () => {
  const { page, server } = await around("document.onkeydown = (event) => event.preventDefault();");
  await deskOf(page, server);
  await page.goto(`${server.origin}/#recover`);
  await page.getByText("Opened without the desktop").waitFor();
  expect(page.frames().length).toBe(1);
  await page.reload();
  await page.getByText("Opened without the desktop").waitFor();
  expect(page.frames().length).toBe(1);
  await expectInControl(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /Load it/ }).click();
  await deskOf(page, server);
  expect(page.url()).toBe(`${server.origin}/`);
});

test("CONSOLE-14: with a desk that never ends its script everything in the frame works", async () => {
  const { page } = await around("for (;;);");
  await expectInControl(page);
});

test("CONSOLE-15: of a desk that throws at load the bar says that it doesn't answer, and everything works", async () => {
  const { page } = await around("throw new Error('broken')");
  await page.getByRole("button", { name: /Reload it/ }).waitFor();
  await expectInControl(page);
});

test("CONSOLE-15: of a desk that hangs after its hello the bar says that it doesn't answer", async () => {
  const hello = "parent.postMessage({ choir: { type: 'hello' } }, '*');";
  const { page } = await around(`${hello} setTimeout(() => { for (;;); }, 1500);`);
  await page.getByText("Desktop doesn't answer").waitFor();
  await expectInControl(page);
});

test("CONSOLE-15: while nobody sees the page, nothing is counted against the desk", async () => {
  const { page, server } = await around("parent.postMessage({ choir: { type: 'hello' } }, '*');");
  const see = (visibilityState: string) =>
    page.evaluate(
      (value) => Object.defineProperty(document, "visibilityState", { configurable: true, value }),
      visibilityState,
    );
  await page.clock.install();
  await page.reload();
  await deskOf(page, server);
  await see("hidden");
  await page.clock.runFor(60_000);
  expect(await page.getByText("Desktop doesn't answer").count()).toBe(0);
  await see("visible");
  await page.clock.runFor(15_000);
  await page.getByText("Desktop doesn't answer").waitFor();
});

const FLOODS = [
  ["empty messages", "2000", "0"],
  ["hellos", "1000", "{ choir: { type: 'hello' } }"],
  ["large messages", "20", "'x'.repeat(5e6)"],
  [
    "a few that take long to read",
    "1",
    "window.long ??= Object.fromEntries(Array.from({ length: 5e5 }, (_, i) => ['k' + i, i]))",
  ],
] as const;

test.each(FLOODS)(
  "CONSOLE-30: a desk that sends a flood of %s is stopped, also after a reload, until it is wanted",
  async (_what, many, message) => {
    const flood = `const send = () => { for (let i = 0; i < ${many}; i++) parent.postMessage(${message}, '*'); setTimeout(send, 0); };`;
    const { page } = await around(`${flood} send();`);
    await page.getByText("it sent too many messages").waitFor();
    expect(page.frames().length).toBe(1);
    await page.reload();
    await page.getByText("it sent too many messages").waitFor();
    expect(page.frames().length).toBe(1);
    await expectInControl(page);
    await page.keyboard.press("Escape");
    const loaded = page.waitForEvent("frameattached");
    await page.getByRole("button", { name: /Reload it/ }).click();
    await loaded;
    await page.getByText("it sent too many messages").waitFor(); // it goes on as before
  },
);
