import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../limits.ts";
import { Life } from "./life.ts";

test("SBX-7: once a command has ended, a late word to end it reaches nobody who has its number now", async () => {
  const tree: { session: number | undefined; mark: string } = { session: undefined, mark: "none" };
  const life = new Life(DEFAULT_LIMITS, tree, Promise.resolve(0));
  expect(await life.ended).toMatchObject({ how: "exited", exit: 0 });
  const stranger = spawn("sleep", ["1000"], { stdio: "ignore", detached: true });
  tree.session = stranger.pid;
  life.stop("output");
  await life.kill();
  stranger.kill("SIGTERM");
  expect(await once(stranger, "exit")).toEqual([null, "SIGTERM"]);
});
