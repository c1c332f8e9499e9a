import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts } from "@choiros/gateway";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import type { Home } from "../console/home.ts";
import { launch, type Started, serve } from "../console/served.ts";
import { choir, live } from "../console/stage.ts";

/** A computer that a server runs, and a browser to look at it with. */
export interface Seat {
  readonly browser: Browser;
  readonly home: Home;
  /** The console's, and the desk's. */
  readonly origin: string;
  readonly desk: string;
  /** Signs in, where the server is of another kind. */
  cookie?(): Promise<string>;
}

/** One server and one browser for all tests of a file. Each seat is at a new computer, which nobody else has. */
export function seats(): () => Promise<Seat> {
  const path = mkdtempSync(join(tmpdir(), "choir-desktop-"));
  let [browser, server]: [Browser?, Started?] = [];
  let people = 0;
  beforeAll(async () => {
    [browser, server] = await Promise.all([launch(), serve(path)]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), server?.stop()]);
    rmSync(path, { recursive: true, force: true });
  });
  return async () => {
    if (browser === undefined || server === undefined) throw new Error("nothing has been started yet");
    const home = { path, user: `eve-${++people}` };
    await addUser(home);
    return seatAt(browser, server, home);
  };
}

/** Past the server, which would keep the computer open: a test may let things happen to it first. */
async function addUser(home: Home): Promise<void> {
  const file = join(home.path, "accounts.sqlite");
  const opened = openAccounts({
    file,
    home: { owner: () => "ada", computers: () => ["ada"] },
    origins: () => ["http://choir.localhost"],
    report(message, cause) {
      throw new Error(message, { cause });
    },
  });
  if (!opened.ok) throw new Error(opened.message);
  const added = await opened.accounts.add(home.user, "member");
  opened.accounts.close();
  if (!added.ok) throw new Error(added.message);
  await live(home, async () => {});
}

/** At a server of one's own. */
export function seatAt(browser: Browser, { origin, port }: Started, home: Home): Seat {
  return { browser, home, origin, desk: `http://${home.user}-desk.localhost:${port}` };
}

let addresses = 0;

/**
 * Signs in, and gives the cookie. That people do it by a click is the console's to show. Each comes from an address of its
 * own: of those from one, twenty a minute are let in.
 */
export async function cookieOf({ cookie, home, origin }: Seat): Promise<{ name: string; value: string; url: string }> {
  if (cookie !== undefined) return cookieAt(await cookie(), origin);
  const { hash } = new URL((await choir(home, ["user", "link", home.user])).trim());
  const asking = request({
    host: "127.0.0.1",
    localAddress: `127.0.1.${(addresses++ % 250) + 1}`,
    method: "POST",
    path: "/api/auth/link",
    port: new URL(origin).port,
    headers: { "content-type": "application/json", host: new URL(origin).host, origin },
  });
  asking.end(JSON.stringify({ token: hash.replace("#link=", "") }));
  const [answer]: IncomingMessage[] = await once(asking, "response");
  answer?.resume();
  return cookieAt(answer?.headers["set-cookie"]?.[0] ?? "", origin);
}

function cookieAt(said: string, url: string): { name: string; value: string; url: string } {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(said) ?? [];
  if (name === undefined || value === undefined) throw new Error(`nobody is let in: ${said}`);
  return { name, value, url };
}
