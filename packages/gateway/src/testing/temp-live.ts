import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { onTestFinished } from "vitest";
import type { LiveLimits } from "../live/limits.ts";
import { type LiveGateway, openLiveGateway, type SandboxOf } from "./live-gateway.ts";

keepThreads();

/** A gateway for one test, in a folder of its own, gone afterwards. */
export async function liveGateway(limits: Partial<LiveLimits> = {}, sandbox?: SandboxOf): Promise<LiveGateway> {
  const home = mkdtempSync(join(tmpdir(), "choir-live-"));
  const gateway = await openLiveGateway(home, limits, sandbox);
  onTestFinished(async () => {
    await gateway.close();
    rmSync(home, { recursive: true });
  });
  return gateway;
}
