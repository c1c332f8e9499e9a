import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

/** As `npm start` runs it. */
const MAIN = join(import.meta.dirname, "..", "..", ".build", "choir", "main.mjs");
export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export interface Started {
  readonly link: string;
  readonly port: number;
  /** The console's, and that of ada's desk. */
  readonly origin: string;
  readonly desk: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The server as `npm start` runs it; `within`: the words of a program that runs it. */
export async function serve(
  home: string,
  { port = 0, command = [process.execPath, MAIN, "start"], within = [] as readonly string[] } = {},
): Promise<Started> {
  const [program = "", ...words] = [...within, ...command, "--json", "--home", home, "--user", "ada"];
  const server = spawn(program, words, {
    env: { ...process.env, CHOIR_SERVER_PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    if (server.exitCode === null && server.kill("SIGTERM")) await once(server, "exit");
  };
  let said = "";
  for await (const chunk of server.stdout) {
    said += chunk;
    if (said.includes("\n")) break;
  }
  const { link }: { link: string } = JSON.parse(said); // only what is needed of it
  const own = Number(new URL(link).port);
  const desk = `http://ada-desk.localhost:${own}`;
  return { link, port: own, origin: `http://choir.localhost:${own}`, desk, pid: server.pid ?? 0, stop };
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
}

/** Opens the link, and clicks. */
export async function signIn(
  page: Page,
  { link, name = "ada" }: { readonly link: string; readonly name?: string },
): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: `Sign in as ${name}` }).click();
  await page.getByRole("button", { name: "Time machine" }).waitFor();
}

/** The slider over all moments, once it is there with the tree. */
export async function openTimeMachine(page: Page) {
  await page.getByRole("button", { name: "Time machine" }).click();
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.waitFor();
  await page.locator(".tree[data-at]").waitFor();
  return { slider, tree: page.getByRole("tree", { name: "Files at this moment" }) };
}
