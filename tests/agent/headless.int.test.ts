import { rmSync, writeFileSync } from "node:fs";
import { DEMO_ASK } from "@choiros/contract";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serve } from "../console/served.ts";
import { type ScriptedModel, scriptedModel } from "../model/scripted-model.ts";
import { choir, connectedHome } from "./headless.ts";
import { answer, gate, plan, run, writesFile } from "./scripts.ts";

let scripted: ScriptedModel;
beforeEach(async () => {
  scripted = await scriptedModel();
});
afterEach(() => scripted.close());

const WAYS: [way: string, open: (home: string) => Promise<void>][] = [
  ["on the folder", async () => {}],
  [
    "through a server",
    async (home) => {
      const server = await serve(home);
      onTestFinished(() => server.stop());
    },
  ],
];

describe.each(WAYS)("choir ask, %s", (_, open) => {
  test("ASK-40: an ask is followed to its end: what happens at the side, the answer on standard output, exit 0", async () => {
    const home = connectedHome(scripted);
    await open(home);
    scripted.play(writesFile("a.md", "hello\n"));
    const ran = await choir(home, ["ask", "write", "a.md"]);
    expect([ran.exit, ran.out]).toEqual([0, "I wrote a.md.\n"]);
    expect(ran.aside).toContain("Planned: Write a.md.");
    expect(ran.aside).toMatch(/cost unknown, so no limit in USD holds; 'choir undo ask:\S+' takes back what it did/);
    expect((await choir(home, ["cat", "a.md"])).out).toBe("hello\n");
  });

  test("ASK-40: why nothing goes on is told while it lasts: a busy provider, and a policy that is wrong", async () => {
    const home = connectedHome(scripted);
    await open(home);
    scripted.play([{ status: 429, headers: { "retry-after": "1" }, message: "Slow down" }, [answer("Here.")]]);
    const ran = await choir(home, ["ask", "hello"]);
    expect([ran.exit, ran.out]).toEqual([0, "Here.\n"]);
    expect(ran.aside).toMatch(/^It waits: .*Slow down/m);
    writeFileSync(`${home}/policy.toml`, "[limits.ask]\nsteps = -1\n");
    const refused = await choir(home, ["ask", "hello again"]);
    expect([refused.exit, refused.aside]).toEqual([1, expect.stringContaining("policy.toml:2")]);
  });

  test("ASK-41: a question ends it with exit 1, and an answer in its conversation goes on", async () => {
    const home = connectedHome(scripted);
    await open(home);
    scripted.play([[{ tool: "ask_user", input: { question: "Which colour?", choices: ["red", "blue"] } }]]);
    const asked = await choir(home, ["ask", "paint it"]);
    expect([asked.exit, asked.out]).toEqual([1, "Which colour?\n- red\n- blue\n"]);
    const [, conversation = ""] = /--in (\S+)/.exec(asked.aside) ?? [];
    scripted.play([[answer("Blue it is.")], [answer("Blue it is.")]]);
    const told = await choir(home, ["ask", "--in", conversation, "blue"]);
    expect(told.exit).toBe(0);
    expect(asked.aside + told.aside).not.toContain("takes back"); // neither did anything
  });

  test("ASK-42: Ctrl-C stops the ask: exit 130, and it is paused as stopped", async () => {
    const home = connectedHome(scripted);
    await open(home);
    const waiting = gate();
    onTestFinished(() => waiting.open());
    scripted.play([[{ until: waiting.opened }, "never said"]]);
    const stop = new AbortController();
    const running = choir(home, ["ask", "--json", "think"], stop.signal);
    await scripted.received(1);
    stop.abort(new Error("Ctrl-C"));
    const ran = await running;
    expect([ran.exit, JSON.parse(ran.out.trim().split("\n").at(-1) ?? "")]).toMatchObject([130, { status: "stopped" }]);
    const again = new AbortController();
    scripted.play([[{ until: waiting.opened }, "never said"]]);
    const rerun = choir(home, ["ask", "think again"], again.signal);
    await scripted.received(2);
    again.abort(new Error("Ctrl-C"));
    expect((await rerun).aside).toMatch(
      /resume it in the desktop, under Asks, or say more with: choir ask --in \S+ "…"/,
    );
  });
});

test("ASK-43: with --json each event and the outcome are an object in a line", async () => {
  const home = connectedHome(scripted);
  scripted.play([
    [plan({})],
    [run("echo hi")],
    [{ tool: "finish", input: { status: "ok", summary: "Said hi." } }],
    [answer("Hi.")],
  ]);
  const ran = await choir(home, ["ask", "--json", "say hi"]);
  const lines = ran.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toMatchObject({ answer: "Hi.", ok: true, status: "done", call: expect.any(String) });
  expect(lines.some((line) => line.output === "hi\n")).toBe(true);
  expect(lines.flatMap((line) => line.event?.type ?? [])).toContain("task.finished");
});

test("ASK-44: where no model is connected that is said with exit 1, nothing is kept, and the demo still plays", async () => {
  const home = connectedHome(scripted);
  await choir(home, ["write", "x"]);
  rmSync(`${home}/models.toml`);
  const asked = await choir(home, ["ask", "write a letter"]);
  expect([asked.exit, asked.aside]).toEqual([1, expect.stringContaining("no model is chosen")]);
  expect(asked.aside).toContain("In the desktop words are kept");
  const told = await choir(home, ["ask", "--json", "write a letter"]);
  expect([told.exit, JSON.parse(told.out)]).toEqual([1, { ok: false, why: expect.stringContaining("no model") }]);
  expect((await choir(home, ["events", "--type", "message"])).out).toBe("");
  const demo = await choir(home, ["ask", DEMO_ASK]);
  expect([demo.exit, demo.out]).toEqual([0, expect.stringMatching(/^\*\*Scripted demo\.\*\*/)]);
  expect(demo.aside).toMatch(/^Checked: grep .* \(passed\)$/m);
  expect(demo.aside).not.toMatch(/receipt\.|\(ok\)/);
  expect((await choir(home, ["cat", "demo/index.html"])).out).toContain("Open from seven.");
  const ask = /undo (ask:\S+)'/.exec(demo.aside)?.[1] ?? "";
  expect((await choir(home, ["undo", ask])).exit).toBe(0);
  expect((await choir(home, ["files", "--json"])).out).not.toContain("demo");
}, 60_000);
