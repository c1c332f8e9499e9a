import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../limits.ts";
import { Life } from "./life.ts";

test("SBX-7: once a command has ended, a late word to end it reaches nobody who has its number now", async () => {
  const stranger = spawn("sleep", ["1000"], { stdio: "ignore" });
  const child = {
    pid: stranger.pid ?? 0,
    exited: Promise.resolve(0),
    begun: Promise.resolve(),
    status: () => ({ exit: 0 }),
    complaint: () => "",
  };
  const places = { folders: [], own: false };
  const life = new Life({ child, limits: DEFAULT_LIMITS, group: undefined, places, cleanUp: () => {} });
  expect(await life.ended).toMatchObject({ how: "exited", exit: 0 });
  life.stop("output");
  await life.kill();
  stranger.kill("SIGTERM");
  expect(await once(stranger, "exit")).toEqual([null, "SIGTERM"]);
});
