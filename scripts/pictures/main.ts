import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { chooseTheme } from "../../tests/console/theme.ts";
import { type ScriptedModel, scriptedModel } from "../../tests/model/scripted-model.ts";
import { desktopPictures, type Picture } from "./desktop.ts";
import { FEED } from "./feed.ts";
import { CHANGED, LAST, live } from "./history.ts";

/** Takes the pictures of the guide: a real server, a real browser, and a small history that is always the same. */

/** A frame that is hidden draws nothing. */
const DRAWN = `new Promise((next) => {
  requestAnimationFrame(() => requestAnimationFrame(next));
  setTimeout(next, 500);
})`;
const ROOT = join(import.meta.dirname, "..", "..");
const IMAGES = join(ROOT, "docs", "guide", "images");
const WIDE = { width: 1200, height: 600 };
const SMALL = { width: 800, height: 400 };
const PHONE = { width: 390, height: 700 };
const FLAGS = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb"];

/** Two may take pictures at once; in them everybody's home is where Ada has hers. */
const home = mkdtempSync(join(tmpdir(), "choir-pictures-"));
const SHOWN_HOME = "/home/ada/choiros";
mkdirSync(IMAGES, { recursive: true });
let server: ChildProcess | undefined;
let browser: Browser | undefined;
let model: ScriptedModel | undefined;
try {
  await live(home);
  server = spawn(process.execPath, [join(ROOT, "apps/server/src/main.ts"), "start", "--json", "--home", home], {
    env: { ...process.env, CHOIR_SERVER_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  model = await scriptedModel();
  model.play(FEED);
  await takeAll(browser, await linkOf(server), model);
} finally {
  await browser?.close();
  await model?.close();
  if (server !== undefined && server.exitCode === null && server.kill("SIGTERM")) await once(server, "exit");
  rmSync(home, { recursive: true, force: true });
}

async function linkOf({ stdout }: ChildProcess): Promise<string> {
  for await (const line of stdout ?? []) return JSON.parse(String(line)).link;
  throw new Error("the server didn't start");
}

async function takeAll(browser: Browser, link: string, model: ScriptedModel): Promise<void> {
  const page = await pageIn(browser);
  await page.setViewportSize(SMALL);
  await page.goto(link);
  await button(page, "Sign in as ada").waitFor();
  await take(page, "signing-in");
  await page.setViewportSize(WIDE);
  await button(page, "Sign in as ada").click();
  await page.frameLocator("iframe").locator("main[aria-busy=false]").waitFor();
  await take(page, "console");

  await openTimeMachine(page);
  await openFolder(page);
  await take(page, "time-machine");
  await button(page, "Go back to here").click();
  await page
    .getByRole("button", { name: /^Go back/ })
    .last()
    .waitFor();
  await settled(page);
  await take(page, "going-back");
  await page.reload();

  await page.frameLocator("iframe").locator("main[aria-busy=false]").waitFor();
  await button(page, /^Computer ada/).click();
  await page.getByLabel("Another computer").fill("studio");
  await take(page, "computers");
  await page.reload();
  await page.frameLocator("iframe").locator("main[aria-busy=false]").waitFor();
  await button(page, "Account of ada").click();
  await page.getByText("here", { exact: true }).waitFor();
  await take(page, "account");
  await button(page, /^Agents/).click();
  await page.getByLabel("What they may do").and(page.locator("textarea:enabled")).waitFor();
  await take(page, "agents");

  const cookies = await page.context().storageState();
  const light = await pageIn(browser, cookies);
  await chooseTheme(light, "light");
  await light.goto(page.url());
  await openTimeMachine(light);
  await openFolder(light);
  await take(light, "time-machine-light");
  const phone = await pageIn(browser, cookies, PHONE);
  await phone.goto(page.url());
  await openTimeMachine(phone);
  await take(phone, "time-machine-phone");
  await page.reload();
  connect(model);
  for await (const { name, of } of desktopPictures(page)) await take(page, name, of);
  await phone.reload();
  await openOnPhone(phone, "site");
  await take(phone, "desktop-phone");
}

/** As its owner would in the panel, with what its provider wants for it. */
function connect({ url }: ScriptedModel): void {
  const models = `[providers.own]
kind = "openai-compatible"
base_url = "${url}/v1"
key_from = "nowhere"

[roles.director]
provider = "own"
model = "scripted-one"
`;
  writeFileSync(join(home, "models.toml"), models, { mode: 0o600 });
  const price = `[[price]]\nprovider = "openai-compatible"\nmodel = "scripted-one"\nin = 40\nout = 80\n`;
  writeFileSync(join(home, "prices.toml"), price);
}

/** By the switcher, as a finger does. */
async function openOnPhone(page: Page, title: string): Promise<void> {
  const desk = page.frameLocator("iframe");
  await desk.getByRole("button", { name: /^Windows: / }).click();
  await desk.getByRole("region", { name: "Switch windows" }).getByRole("button", { name: title, exact: true }).click();
  await desk.getByRole("region", { name: title, exact: true }).getByText("index.html").waitFor();
}

/** At the moment when the agent changed the page. */
async function openTimeMachine(page: Page): Promise<void> {
  await button(page, "Time machine").click();
  await page.locator(`input[type=range][max="${LAST}"]`).waitFor();
  await page.getByRole("slider", { name: "Moment" }).fill(String(CHANGED));
  await page.getByText("Spelt").first().waitFor({ state: "attached" });
}

async function openFolder(page: Page): Promise<void> {
  await page.getByRole("treeitem", { name: /^site/ }).click();
  await button(page, "What changed at this moment").click();
  await page.getByText("Spelt").first().waitFor();
}

type Kept = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

async function pageIn(browser: Browser, kept?: Kept, viewport = WIDE): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport, locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce" },
    ...(viewport === PHONE && { hasTouch: true, isMobile: true }),
    ...(kept !== undefined && { storageState: kept }),
  });
  return context.newPage();
}

function button(page: Page, name: string | RegExp) {
  return page.getByRole("button", { name });
}

/** Until nothing is asked for any more, and the letters have their shapes. */
async function settled(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    await frame.evaluate("document.fonts.ready");
    await frame.evaluate(DRAWN);
  }
}

/** Where the page names this run's home, it names Ada's. */
async function atHome(page: Page): Promise<void> {
  for (const frame of page.frames())
    await frame.evaluate(
      ([from = "", to = ""]) => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode() !== null) {
          const { currentNode } = texts;
          if (currentNode.nodeValue?.includes(from) === true)
            currentNode.nodeValue = currentNode.nodeValue.replaceAll(from, to);
        }
      },
      [home, SHOWN_HOME],
    );
}

async function take(page: Page, name: string, of?: Picture["of"]): Promise<void> {
  await atHome(page);
  await settled(page);
  const options = { path: join(IMAGES, `${name}.png`), caret: "hide", animations: "disabled" } as const;
  if (of === undefined) await page.screenshot(options);
  else if ("screenshot" in of) await of.screenshot(options);
  else await page.screenshot({ ...options, clip: of });
  console.log(`docs/guide/images/${name}.png`);
}
