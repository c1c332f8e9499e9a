import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { longHistory } from "../console/long-history.ts";
import { choir, live } from "../console/stage.ts";
import { frameOf, type OwnDesk, openDesk, say, windowOf } from "./desk.ts";
import type { Look } from "./look.ts";
import { type Seat, seats } from "./seat.ts";
import { hold, slow } from "./slow.ts";
import { anEventfulDay } from "./timeline-history.ts";

const seat = seats();

/** A command line of its own is started for each look. */
const SLOW = { timeout: 30_000 };

interface Opened extends OwnDesk {
  readonly window: Locator;
  readonly lines: Locator;
  line(name: string | RegExp): Locator;
}

async function openTimeline(at: Seat, look: Look): Promise<Opened> {
  const here = await openDesk(at, look);
  await say(here, "timeline");
  const window = await windowOf(here, "Timeline");
  await window.getByRole("treeitem").first().waitFor();
  const lines = window.getByRole("treeitem");
  return { ...here, window, lines, line: (name) => window.getByRole("treeitem", { name }) };
}

async function eventful(look: Look): Promise<Opened> {
  const at = await seat();
  await live(at.home, anEventfulDay);
  return openTimeline(slow(at), look);
}

/** As somebody does who knows its number. */
async function goTo({ window }: Opened, seq: number): Promise<Locator> {
  const words = window.getByRole("searchbox");
  await words.fill(`#${seq}`);
  await words.press("Enter");
  const event = window.getByRole("region", { name: `Event ${seq}`, exact: true });
  await event.waitFor();
  return event;
}

test("TIME-2: what an ask led to is one line, opened by keyboard step by step, each told by what it came from", async () => {
  const { lines, line, page, window } = await eventful("1024 light");
  await line(/Add an RSS feed and test it/).waitFor();
  expect(await line(/feed\.ts/).count()).toBe(0);
  await window.getByRole("tree").focus();
  for (let step = 0; step < 20; step++) {
    await page.keyboard.press("ArrowDown");
    if ((await window.locator("[aria-selected=true]").textContent())?.includes("RSS feed") === true) break;
  }
  await page.keyboard.press("ArrowRight");
  await line(/Write feed\.ts and its test/).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await line(/npm test.*done/).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await line(/site\/feed\.ts/).waitFor();
  expect(await line(/site\/feed\.ts/).getAttribute("aria-level")).toBe("4");
  await page.keyboard.press("ArrowLeft");
  await line(/site\/feed\.ts/).waitFor({ state: "detached" });
  expect(await lines.first().textContent()).toMatch(/window/i);
});

test("TIME-4: what happens anywhere is there at once, and doesn't move what somebody reads", async () => {
  const at = await seat();
  const { home } = at;
  await longHistory(home, 2000);
  const { line, window } = await openTimeline(at, "1440 light");
  await choir(home, ["write", "live.md"], "now");
  await line(/live\.md/).waitFor();
  const tree = window.getByRole("tree");
  await tree.evaluate((element) => {
    element.scrollTop = 5000;
  });
  await line(/file-/).first().waitFor();
  const place = async () => {
    const at = line(/file-840\.txt/);
    await at.waitFor();
    return (await at.boundingBox())?.y;
  };
  const before = await place();
  await choir(home, ["write", "live2.md"], "now");
  await window.getByRole("button", { name: /new$/ }).waitFor();
  expect(await place()).toBe(before);
  await window.getByRole("button", { name: /new$/ }).click();
  await line(/live2\.md/).waitFor();
});

test("TIME-5, DESK-80: it is narrowed down by who, what, where, when and words, and to search is no event; on a phone the keys are with what is in sight", async () => {
  const here = await eventful("390 dark");
  const { line, lines, page, window } = here;
  const [event, tree] = [window.getByRole("region", { name: /^Event / }), window.getByRole("tree")];
  const focused = window.locator(":focus");
  await line(/odd/).click();
  await event.and(focused).waitFor();
  await page.keyboard.press("Escape");
  await tree.and(focused).waitFor();
  await goTo(here, 11);
  await event.and(focused).waitFor();
  await goTo(here, 12);
  await event.and(focused).waitFor();
  await window.getByRole("button", { name: "Back to the list" }).click();
  await tree.and(focused).waitFor();
  await window.getByRole("button", { name: "Filters" }).click();
  await window.getByLabel("Who", { exact: true }).selectOption("Agents");
  await line(/plan\.md/).waitFor({ state: "detached" });
  await window.getByLabel("What", { exact: true }).selectOption("Files");
  await expect.poll(() => lines.count()).toBe(1); // both of one command
  await window.getByRole("button", { name: "Clear" }).click();
  await window.getByLabel("Where", { exact: true }).fill("notes.md");
  await expect.poll(() => lines.count()).toBe(3);
  await choir(here.home, ["write", "notes.md"], "and wine");
  await expect.poll(() => lines.count()).toBe(4);
  await window.getByRole("button", { name: "Clear" }).click();
  const words = window.getByRole("searchbox");
  await words.fill("rss FEED");
  await expect.poll(() => lines.count()).toBe(1);
  await words.fill("LAN.md");
  await expect.poll(() => lines.count()).toBe(2); // made, and taken back
  await line(/Undid event 3: plan\.md/).waitFor();
  await words.fill("no such words");
  await window.getByText("Nothing like that happened.").waitFor();
  await typesOnAsItIsHeard(here, ["s", " f"]);
  await words.fill("rs");
  await expect.poll(() => words.inputValue()).toBe("rss f");
  await expect.poll(() => lines.count()).toBe(1);
  await say(here, "open about"); // what was done before is in the log by then
  await windowOf(here, "About this computer");
  const log = () => choir(here.home, ["events", "--json"]);
  await expect.poll(log, SLOW).toContain('"app":"about"');
  expect(await log()).not.toContain('"filter"');
});

/** What is typed in the very moment in which the field is heard, and what right after it. */
function typesOnAsItIsHeard({ page }: Opened, texts: readonly string[]): Promise<void> {
  return frameOf(page).evaluate(([first = "", then = ""]) => {
    const { setTimeout } = globalThis;
    const type = (text: string) => document.execCommand("insertText", false, text);
    const later = (run: () => void, ms?: number) =>
      setTimeout(() => {
        run();
        if (ms !== 250 || globalThis.setTimeout === setTimeout) return;
        globalThis.setTimeout = setTimeout;
        type(first);
        setTimeout(type, 50, then);
      }, ms);
    globalThis.setTimeout = later as typeof setTimeout; // the page gives it no more than these
  }, texts);
}

test("TIME-6, TIME-10: an event shows its lines, what its command wrote, what it came from, what it led to, and each leads there", async () => {
  const { line, window } = await eventful("1024 dark");
  await line(/Add an RSS feed/).click();
  const ask = window.getByRole("region", { name: "Event 4" });
  const led = ask.getByRole("region", { name: "Led to" });
  await led.getByRole("button", { name: /npm test/ }).waitFor();
  await led.getByRole("button", { name: /site\/feed\.ts/ }).click();
  const write = window.getByRole("region", { name: "Event 8" });
  await write.getByRole("region", { name: "new site/feed.ts" }).getByText("+export const feed = [];").waitFor();
  await line(/site\/feed\.ts/).waitFor();
  const because = write.getByRole("region", { name: "Because of" });
  await because.getByRole("button", { name: /npm test/ }).click();
  const called = window.getByRole("region", { name: "Event 7" });
  await called.getByText("✓ feed has an entry for each page").waitFor();
  await called.getByRole("region", { name: "Led to" }).getByRole("button", { name: /^Done/ }).click();
  const ended = window.getByRole("region", { name: "Event 10" });
  await ended.getByRole("region", { name: "Output" }).getByText("1 passed").waitFor();
  await ended
    .getByRole("region", { name: "Because of" })
    .getByRole("button", { name: /npm test/ })
    .click();
  await called.getByRole("button", { name: /site\/feed\.ts/ }).click();
  await because.getByRole("button", { name: /Add an RSS feed/ }).click();
  await ask.waitFor();
  await line(/odd\\u\{202e\}txt\.md/).waitFor();
  await line(/Undid event 3/).click();
  await window
    .getByRole("region", { name: "Event 14" })
    .getByRole("region", { name: "Because of" })
    .getByRole("button", { name: /plan\.md/ })
    .click();
  await window
    .getByRole("region", { name: "Event 3" })
    .getByRole("button", { name: /Undid event 3/ })
    .waitFor();
});

test("TIME-7: undoing shows exactly what it would do; of a conflict one version is picked; all of an ask goes at once", async () => {
  const { desk, home, line, window } = await eventful("1440 light");
  await line(/Add an RSS feed/)
    .getByRole("button", { name: "undo all" })
    .click();
  const all = window.getByRole("region", { name: "Undo all of this ask" });
  await all.getByRole("region", { name: "gone site/feed.ts" }).getByText("-export const feed = [];").waitFor();
  await all.getByRole("button", { name: "Take back 3 changes" }).click();
  await desk
    .getByText(/^Taken back/)
    .first()
    .waitFor();
  expect(await choir(home, ["files"])).not.toContain("feed");
  const undone = line(/Add an RSS feed/);
  await undone.getByText("taken back").waitFor();
  expect(await undone.getByRole("button", { name: "undo all" }).count()).toBe(0);
  await undone.getByRole("button", { name: "redo" }).click();
  await window.getByRole("button", { name: "Do 3 changes again" }).waitFor();
  await window.getByRole("button", { name: "Cancel" }).click();

  const doIt = window.getByRole("button", { name: /^Take (it )?back/ });
  await window.getByRole("searchbox").fill("#11");
  await window.getByText("Enter opens event 11").waitFor();
  await window.getByRole("searchbox").press("Enter");
  await window.getByRole("region", { name: "Event 11" }).getByRole("button", { name: "Undo this" }).click();
  const conflict = window.getByRole("group", { name: "notes.md" });
  await conflict.getByText("-buy cheese").waitFor();
  await conflict.getByText("+buy milk").waitFor();
  expect(await doIt.isDisabled()).toBe(true);
  await conflict.getByRole("radio", { name: "Keep what is there now" }).check();
  await window.getByText("Nothing would change: what is there now is kept.").waitFor();
  await conflict.getByRole("radio", { name: "Take the older version" }).check();
  await window.getByRole("button", { name: "Take back 1 change" }).click();
  await expect.poll(() => choir(home, ["cat", "notes.md"]), SLOW).toBe("buy milk\n");
});

test("TIME-7: on a slow line nothing is taken back that isn't shown, Escape goes on meanwhile, and what was done is told then", async () => {
  const here = await eventful("1024 dark");
  const { desk, page } = here;
  const event = await goTo(here, 11);
  await event.getByRole("button", { name: "Undo this" }).click();
  const older = event.getByRole("radio", { name: "Take the older version" });
  const doIt = event.getByRole("button", { name: /^Take / });
  await older.check();
  await event.getByRole("button", { name: "Take back 1 change", disabled: false }).waitFor();
  const looked = await hold(page, '"preview"');
  await event.getByRole("radio", { name: "Keep what is there now" }).check();
  expect(await doIt.isDisabled()).toBe(true);
  await looked();
  await event.getByText("Nothing would change: what is there now is kept.").waitFor();

  await older.check();
  const done = await hold(page, '"undo"');
  await event.getByRole("button", { name: "Take back 1 change", disabled: false }).click();
  await page.keyboard.press("Escape");
  await event.getByRole("region", { name: "Undo just this" }).waitFor({ state: "detached" });
  await event.getByRole("button", { name: "Go back to here" }).click();
  const other = event.getByRole("region", { name: "Go back to event 11" });
  await other.waitFor();
  await done();
  await desk
    .getByText(/^Taken back/)
    .first()
    .waitFor();
  expect(await other.count()).toBe(1);
  await other.getByRole("button", { name: "Cancel" }).and(desk.locator(":focus")).waitFor();
});

test("TIME-8, DESK-80: an event that is named is gone on from by keys; a link to it is copied, and opens it also where one has to sign in first; one to a computer that isn't theirs is said to be that", async () => {
  const { desk, home, page, seat: at, window } = await eventful("1024 dark");
  const opened = async (on: typeof desk) => {
    const region = on.getByRole("region", { name: "Event 8" });
    await region.getByRole("region", { name: "new site/feed.ts" }).waitFor();
    await on.locator("[aria-selected=true]").getByText("site/feed.ts").waitFor();
  };
  await window.getByRole("searchbox").fill("event 8");
  await window.getByRole("searchbox").press("Enter");
  await opened(desk);
  await window.getByRole("tree").and(window.locator(":focus")).waitFor();
  await window.getByRole("button", { name: "Copy link" }).click();
  await desk.getByText("Link copied").waitFor();
  const field = desk.getByRole("combobox", { name: "Ask for anything" });
  await field.focus();
  await page.keyboard.press("Control+v");
  const link = await field.inputValue();
  expect(link).toBe(`${at.origin}/#computer=${home.user}&event=8`);
  await window.getByRole("button", { name: "Close", exact: true }).last().click();

  await page.goto("about:blank");
  await page.goto(link);
  await opened(page.frameLocator("iframe"));

  await page.goto("about:blank");
  await page.goto(link.replace(home.user, "somebody-else"));
  await page.getByText("That link isn't to a computer of yours").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("That link isn't to a computer of yours").waitFor({ state: "detached" });

  await page.goto("about:blank");
  await page.goto(link.replace("event=8", "event=99999"));
  const wrong = desk.getByText("There is no event 99999 here.");
  await wrong.waitFor();
  await page.goto("about:blank");
  await page.goto(at.origin);
  await desk.getByRole("treeitem").first().waitFor();
  expect(await wrong.count()).toBe(0); // it was told once
});

const MANY = 20_000;

test("TIME-3: of a long history each line can be reached, and only those in sight are on the page", async () => {
  const at = await seat();
  await longHistory(at.home, MANY);
  const { line, lines, page, window } = await openTimeline(at, "1024 dark");
  const tree = window.getByRole("tree");
  await tree.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await line(/The computer was made/).waitFor();
  await tree.focus();
  await page.keyboard.press("Home");
  await line(/Opened the window/).waitFor();
  await page.keyboard.press("End");
  await line(/The computer was made/).waitFor();
  await window.getByRole("searchbox").fill("#10000");
  await window.getByRole("searchbox").press("Enter");
  await window.getByRole("region", { name: "Event 10,000" }).waitFor();
  expect(await lines.count()).toBeLessThan(60);
});

test("TIME-3, TIME-8: while what somebody goes to is read they go on from there, or elsewhere, and stay there", async () => {
  const at = await seat();
  await longHistory(at.home, MANY);
  const here = await openTimeline(slow(at), "1440 dark");
  const { line, lines, page, window } = here;
  const tree = window.getByRole("tree");
  const selected = lines.and(window.locator("[aria-selected=true]"));
  const position = async () => Number(await selected.getAttribute("aria-posinset"));
  const newest = window.locator("[aria-posinset='1']");
  await tree.focus();
  const further = await hold(page, '"events"');
  for (let i = 0; i < 40; i++) await page.keyboard.press("PageDown");
  await further();
  await expect.poll(position).toBeGreaterThan(400);

  const end = await hold(page, '"events"');
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await end();
  await tree.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await line(/The computer was made/).waitFor();
  expect(await line(/The computer was made/).getAttribute("aria-selected")).toBe("false");
  await tree.evaluate((element) => element.scrollTo({ top: 0 }));
  expect(await newest.getAttribute("aria-selected")).toBe("true");

  const found = await hold(page, '"events"');
  await window.getByRole("searchbox").fill("#5000");
  await window.getByRole("searchbox").press("Enter");
  await line(/file-99\d\.txt/)
    .first()
    .click();
  await window.getByRole("button", { name: "Undo this" }).click();
  const preview = window.getByRole("region", { name: "Undo just this" });
  await preview.getByRole("button", { name: /^Take back/, disabled: false }).waitFor();
  await tree.evaluate((element) => element.scrollTo({ top: (element.scrollHeight * 3) / 4 }));
  await expect.poll(() => lines.count()).toBe(0); // none of these is read
  await found();
  await lines.first().waitFor(); // asked for after it
  expect(await preview.count()).toBe(1);
});
