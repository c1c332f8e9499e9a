import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Computer } from "@choiros/computer";
import { type LiveGateway, openLiveGateway } from "@choiros/gateway/testing";
import type { Signals } from "@choiros/log";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launch } from "../console/served.ts";
import type { Seat } from "./seat.ts";

/** A seat at a computer of this very process: what agents do to it, the test does, as they would. */
export interface AgentSeat extends Seat {
  readonly computer: Computer;
  readonly signals: Signals;
}

/** One gateway with the pages that were built, and one browser, for all tests of a file. */
export function agentSeats(): () => Promise<AgentSeat> {
  const path = mkdtempSync(join(tmpdir(), "choir-agents-"));
  const built = realpathSync(join(import.meta.dirname, "..", "..", ".build", "pages"));
  let [browser, gateway]: [Browser?, LiveGateway?] = [];
  let people = 0;
  beforeAll(async () => {
    const pages = { console: join(built, "console"), desk: join(built, "desktop") };
    [browser, gateway] = await Promise.all([launch(), openLiveGateway(path, {}, undefined, pages)]);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
    rmSync(path, { recursive: true, force: true });
  });
  return async () => {
    if (browser === undefined || gateway === undefined) throw new Error("nothing has been started yet");
    const user = `ann-${++people}`;
    const { accounts, port, sites } = gateway;
    const added = await accounts.add(user, "member");
    if (!added.ok) throw new Error(added.message);
    const [computer, signals] = [await gateway.computer(user), gateway.signals(user)];
    const here = {
      browser,
      home: { path, user },
      origin: sites.console,
      desk: `http://${user}-desk.localhost:${port}`,
    };
    const own = gateway;
    return { ...here, computer, signals, cookie: async () => (await own.signIn(user)).cookie };
  };
}
