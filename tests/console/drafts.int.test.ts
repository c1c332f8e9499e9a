import type { DraftAnswer, DraftRequest } from "@choiros/contract/frame";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, signIn } from "./served.ts";
import { choir, newPage, startServer, tempHome } from "./stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** A desk that says nothing by itself; what it hears is in `heard`. */
const SILENT = "window.heard = []; addEventListener('message', ({ data }) => heard.push(data.choir));";

/** A browser in which every desk's page is that. */
async function withSilentDesks(): Promise<Page> {
  const page = await newPage(browser);
  await page
    .context()
    .route(/-desk\.localhost/, (route) =>
      new URL(route.request().url()).pathname === "/own.js"
        ? route.fulfill({ contentType: "text/javascript", body: SILENT })
        : route.fulfill({ contentType: "text/html", body: '<!doctype html><script src="/own.js"></script>' }),
    );
  return page;
}

async function deskIn(page: Page, whose: RegExp): Promise<Frame> {
  const find = () => page.frames().find((one) => whose.test(one.url()));
  await expect.poll(find).toBeDefined();
  const frame = find();
  if (frame === undefined) throw new Error("there is no desk");
  await frame.waitForFunction(() => "heard" in window);
  return frame;
}

/** Each said after the other was answered, by one page of one life; what came of it. */
function ask(desk: Frame, requests: readonly DraftRequest[], page = "first"): Promise<DraftAnswer[]> {
  return desk.evaluate(
    async ([all, life]) => {
      const answers: DraftAnswer[] = [];
      for (const [i, request] of all.entries()) {
        const answer = new Promise<DraftAnswer>((resolve) => {
          addEventListener("message", function hear({ data: { choir } }) {
            if (choir.type !== "draft" || choir.ask !== i) return;
            removeEventListener("message", hear);
            resolve(choir.answer);
          });
        });
        parent.postMessage({ choir: { type: "draft", ask: i, page: life, request } }, "*");
        answers.push(await answer);
      }
      return answers;
    },
    [requests, page] as const,
  );
}

const KEY = "workspace/notes.md";
const draft = (id: string, base?: string): DraftRequest => {
  return {
    at: 1,
    do: "put",
    id,
    key: KEY,
    typed: { from: 0, insert: "mine ", to: 0 },
    ...(base !== undefined && { base }),
  };
};
const LEFT: DraftRequest = { do: "left", key: KEY };
const done = { drafts: [], ok: true };
const kept = (id: string, base: string) => ({ at: 1, base, id, key: KEY, typed: { from: 0, insert: "mine ", to: 0 } });

test("CONSOLE-37: what a desk keeps is for that computer and that account alone, another tab's as long as that lives, for 30 days, and as long as there is the computer", async () => {
  const home = tempHome();
  const { link } = await startServer(home);
  const page = await withSilentDesks();
  await signIn(page, { link });
  const desk = await deskIn(page, /\/\/ada-desk\./);
  expect(await ask(desk, [draft("a"), draft("a", "one"), draft("a", "two"), draft("a"), LEFT])).toEqual([
    { ok: false, why: "what it started from isn't known" },
    done,
    done,
    done,
    { drafts: [kept("a", "two")], ok: true },
  ]);

  const tab = await page.context().newPage();
  await tab.goto(page.url());
  const beside = await deskIn(tab, /\/\/ada-desk\./);
  expect(await ask(beside, [LEFT], "second")).toEqual([done]);
  await page.close();
  await expect.poll(() => ask(beside, [LEFT], "second")).toEqual([{ drafts: [kept("a", "two")], ok: true }]);

  await tab.getByRole("button", { name: /^Computer ada/ }).click();
  await tab.getByLabel("Another computer").fill("studio");
  await tab.getByRole("button", { name: "Create", exact: true }).click();
  const studio = await deskIn(tab, /\/\/ada-\w{6}-desk\./);
  expect(await ask(studio, [LEFT, draft("a"), { do: "remove", id: "a" }], "third")).toMatchObject([
    done,
    { ok: false },
    done,
  ]);

  await choir(home, ["user", "add", "bob"]);
  await signIn(tab, { link: (await choir(home, ["user", "link", "bob"])).trim(), name: "bob" });
  expect(await ask(await deskIn(tab, /\/\/bob-desk\./), [LEFT, { do: "remove", id: "a" }], "fourth")).toEqual([
    done,
    done,
  ]);
  await signIn(tab, { link: (await choir(home, ["user", "link", "ada"])).trim() });
  await tab.getByRole("button", { name: /^Computer studio/ }).click();
  await tab.getByRole("list", { name: "Your computers" }).getByRole("button", { name: /^ada/ }).click();
  expect(await ask(await deskIn(tab, /\/\/ada-desk\./), [LEFT], "fifth")).toEqual([
    { drafts: [kept("a", "two")], ok: true },
  ]);

  await tab.evaluate(makeOld, 31 * 24 * 3600 * 1000);
  await tab.reload();
  await expect
    .poll(async () => (await tab.evaluate(databases)).filter((name) => name === "choir drafts of ada on gone"))
    .toEqual([]);
  await expect.poll(async () => ask(await deskIn(tab, /\/\/ada-desk\./), [LEFT], "sixth")).toEqual([done]);
});

async function databases(): Promise<string[]> {
  return (await indexedDB.databases()).map(({ name = "" }) => name);
}

/** As if all that is kept had been put so long ago, and some of it on a computer that there isn't. */
async function makeOld(ms: number): Promise<void> {
  const answered = <Value>(request: IDBRequest<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name = "" } of await indexedDB.databases()) {
    const database = await answered(indexedDB.open(name));
    const sizes = database.transaction("sizes", "readwrite").objectStore("sizes");
    for (const size of await answered(sizes.getAll())) await answered(sizes.put({ ...size, put: size.put - ms }));
    database.close();
    const gone = await answered(indexedDB.open(name.replace(/ on .*$/, " on gone")));
    gone.close();
  }
}

test("CONSOLE-37: no more is kept than there is room for, what is no such wish is not answered, and who asks for too much at once is refused", async () => {
  const { link } = await startServer(tempHome());
  const page = await withSilentDesks();
  await signIn(page, { link });
  const desk = await deskIn(page, /\/\/ada-desk\./);
  const full = { ok: false, why: "too much is kept here already" };
  const many = Array.from({ length: 201 }, (_, i) => draft(`d${i}`, ""));
  const answers = await ask(desk, [...many, { do: "remove", id: "d0" }, draft("again", "")]);
  expect(answers).toEqual([...Array(200).fill(done), full, done, done]);
  const large = await desk.evaluate(async (key) => {
    const base = "x".repeat(64 * 1024 * 1024);
    const request = { at: 1, base, do: "put", id: "again", key, typed: null };
    const before = heard.length;
    parent.postMessage({ choir: { type: "draft", ask: 7, page: "first", request } }, "*");
    while (heard.slice(before).every(({ type }) => type !== "draft")) await new Promise((next) => setTimeout(next));
    return heard.at(-1)?.answer;
  }, KEY);
  expect(large).toEqual(full);

  const garbage = [
    null,
    "draft",
    { request: LEFT },
    { request: { ...LEFT, account: "bob" } },
    { ask: 1, page: "first", request: { do: "all" } },
    { ask: 1, page: "first", request: { do: "left", key: { any: true } } },
    { ask: 1, page: "first", request: { ...draft("x", "y"), typed: { from: -1, insert: 5, to: 0 } } },
    { ask: 1, page: "../../first", request: LEFT },
  ];
  const heardOf = await desk.evaluate(
    async ([words, left]) => {
      heard.length = 0;
      for (const one of words) parent.postMessage({ choir: Object.assign({ type: "draft" }, one) }, "*");
      for (let ask = 10; ask < 20; ask++)
        parent.postMessage({ choir: { type: "draft", ask, page: "first", request: left } }, "*");
      const answered = () => heard.filter(({ type }) => type === "draft");
      while (answered().length < 10) await new Promise((next) => setTimeout(next));
      return answered().map(({ ask, answer }) => [ask, answer?.ok]);
    },
    [garbage, { do: "left", key: "workspace/none" }] as const,
  );
  const refused = [13, 14, 15, 16, 17, 18, 19].map((ask) => [ask, false]);
  expect(heardOf).toEqual([...refused, [10, true], [11, true], [12, true]]);
});

declare global {
  // What the desk's page has heard.
  var heard: { readonly type: string; readonly ask?: number; readonly answer?: DraftAnswer }[];
}
