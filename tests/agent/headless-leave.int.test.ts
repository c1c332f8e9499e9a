import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DEMO_ASK } from "@choiros/contract";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type ScriptedModel, scriptedModel } from "../model/scripted-model.ts";
import { choir, connectedHome } from "./headless.ts";
import { plan } from "./scripts.ts";

// Processes of their own: here another one's timers would keep them alive.

let scripted: ScriptedModel;
beforeEach(async () => {
  scripted = await scriptedModel();
});
afterEach(() => scripted.close());

const MAIN = join(import.meta.dirname, "..", "..", ".build", "choir", "main.mjs");

async function built(home: string, ...words: string[]) {
  const child = spawn(process.execPath, [MAIN, ...words, "--home", home, "--user", "ada"], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [[exit], out, aside] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { exit, out, aside };
}

describe("choir ask, where no server runs that could have a console", () => {
  const leaseAsked = [[plan({ egress: ["example.org"] })]];
  const toolAsked = [[plan({})], [{ tool: "bash", input: { command: "curl x", hosts: ["example.org"] } }]];

  test.each([
    ["a lease", leaseAsked],
    ["a tool", toolAsked],
  ])(
    "ASK-45: what waits for leave is paused, which is told with what to do, and it ends with 1: %s",
    async (_, turns) => {
      const home = connectedHome(scripted);
      scripted.play(turns);
      const ran = await built(home, "ask", "fetch it");
      expect(ran).toMatchObject({ exit: 1, out: "" });
      expect(ran.aside).toMatch(/^Asked: network example\.org$/m);
      expect(ran.aside).not.toContain("for you to answer"); // there is nowhere to do that
      expect(ran.aside).toMatch(
        /^It could not go on: It needs your leave, .* 'choir start', resume .* the console\.$/m,
      );
      const kept = (await choir(home, ["events", "--json", "--type", "ask.paused"])).out.trim().split("\n");
      expect(kept.map((line) => JSON.parse(line).payload.why)).toEqual(["failed"]);
      scripted.play(turns);
      const told = await built(home, "ask", "--json", "fetch it");
      const outcome = JSON.parse(told.out.trim().split("\n").at(-1) ?? "");
      expect([told.exit, outcome]).toMatchObject([1, { ok: false, status: "failed" }]);
      expect(outcome.detail).toContain("choir start");
    },
  );

  test("ASK-45: so is the demo, where commands need leave", async () => {
    const home = mkdtempSync(join(tmpdir(), "choir-headless-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(`${home}/policy.toml`, 'ask = ["tool bash"]\n');
    const ran = await built(home, "ask", DEMO_ASK);
    expect([ran.exit, ran.aside]).toEqual([1, expect.stringContaining("It needs your leave")]);
  });

  test("ASK-45: where the policy is wrong the demo isn't begun, either: that is told with exit 1, and nothing is kept", async () => {
    const home = mkdtempSync(join(tmpdir(), "choir-headless-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(`${home}/policy.toml`, "allow = [\n");
    const ran = await built(home, "ask", DEMO_ASK);
    expect([ran.exit, ran.aside]).toEqual([1, expect.stringContaining("policy.toml:")]);
    expect((await choir(home, ["events", "--type", "message"])).out).toBe("");
  });
});
