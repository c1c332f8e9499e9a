import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DEMO_ASK } from "@choiros/contract";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serve } from "../console/served.ts";
import type { Step, Turn } from "../model/script.ts";
import { type ScriptedModel, scriptedModel } from "../model/scripted-model.ts";
import { choir, connectedHome } from "./headless.ts";
import { answer, finish, gate, plan, run, writesFile } from "./scripts.ts";

let scripted: ScriptedModel;
beforeEach(async () => {
  scripted = await scriptedModel();
});
afterEach(() => scripted.close());

const MAIN = join(import.meta.dirname, "..", "..", ".build", "choir", "main.mjs");

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
    scripted.play([{ status: 429, headers: { "retry-after-ms": "3100" }, message: "Slow down" }, [answer("Here.")]]);
    const ran = await choir(home, ["ask", "hello"]);
    expect([ran.exit, ran.out]).toEqual([0, "Here.\n"]);
    expect(ran.aside.match(/^It waits: .*Slow down/gm)).toHaveLength(1); // it is signalled again every few seconds
    writeFileSync(`${home}/policy.toml`, "[limits.ask]\nsteps = -1\n");
    const refused = await choir(home, ["ask", "hello again"]);
    expect([refused.exit, refused.aside]).toEqual([1, expect.stringContaining("policy.toml:2")]);
  });

  test("ASK-40: what happens is told in a line each, also a plan of several and all that an approval covers", async () => {
    const home = connectedHome(scripted);
    await open(home);
    const egress = ["a.example", "b.example"];
    scripted.play([[plan({ instruction: "Fetch both.\n\nThen compare them.", egress })]]);
    const stop = new AbortController();
    const ran = await choir(home, ["ask", "fetch them"], stop.signal, (line) => {
      if (line.includes("That is for you to answer")) stop.abort(new Error("Ctrl-C"));
    });
    expect(ran.aside).toMatch(/^Planned: Fetch both\. ⏎ Then compare them\.$/m);
    expect(ran.aside).toMatch(/^Asked: network a\.example, network b\.example$/m);
  });

  test("ASK-41: a question ends it with exit 1, and an answer in its conversation goes on", async () => {
    const home = connectedHome(scripted);
    await open(home);
    scripted.play([[{ tool: "ask_user", input: { question: "Which colour?", choices: ["red", "blue"] } }]]);
    const asked = await choir(home, ["ask", "paint it"]);
    expect([asked.exit, asked.out]).toEqual([1, "Which colour?\n- red\n- blue\n"]);
    const [, conversation = ""] = /--in (\S+)/.exec(asked.aside) ?? [];
    scripted.play([[plan({})], [finish("The can is empty.", "failed")], [answer("There is no blue.")]]);
    const told = await choir(home, ["ask", "--in", conversation, "blue"]);
    expect([told.exit, told.out]).toEqual([1, "There is no blue.\n"]);
    expect(told.aside).toContain("It gave up: The can is empty.");
    expect(asked.aside + told.aside).not.toContain("takes back"); // neither did anything
  });

  test("ASK-41: what answers a question is no command of the bar, also where it has the words of one", async () => {
    const home = connectedHome(scripted);
    await open(home);
    await choir(home, ["ask", "new doc kept"]);
    scripted.play([[{ tool: "ask_user", input: { question: "Undo or keep?", choices: ["undo", "keep"] } }]]);
    const asked = await choir(home, ["ask", "tidy up"]);
    const [, conversation = ""] = /--in (\S+)/.exec(asked.aside) ?? [];
    scripted.play([[answer("I take it back.")]]);
    const told = await choir(home, ["ask", "--in", conversation, "undo"]);
    expect(told.exit).toBe(0);
    await scripted.received(2); // it was told, and nothing was taken back
    expect((await choir(home, ["files"])).out).toContain("kept.md");
    scripted.play([[answer("You are asked nothing.")]]);
    expect((await choir(home, ["ask", "--in", conversation, "?"])).out).toBe("You are asked nothing.\n");
    expect((await choir(home, ["ask", "--in", conversation, " "])).exit).toBe(2);
  });

  test("ASK-41: a conversation that never was isn't gone on with: exit 1, and nothing is kept", async () => {
    const home = connectedHome(scripted);
    await open(home);
    scripted.play([[answer("Hello.")]]);
    const first = JSON.parse((await choir(home, ["ask", "--json", "hello"])).out.trim().split("\n").at(-1) ?? "");
    for (const mistyped of ["nosuch", first.conversation.slice(0, -1)]) {
      const ran = await choir(home, ["ask", "--in", mistyped, "and more"]);
      expect([ran.exit, ran.out]).toEqual([1, ""]);
      expect(ran.aside).toContain(`conversation ${mistyped} is not in the log`);
    }
    expect((await choir(home, ["events", "--type", "message"])).out.trim().split("\n")).toHaveLength(1);
    expect(scripted.requests).toHaveLength(1);
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
    expect([ran.exit, JSON.parse(ran.out.trim().split("\n").at(-1) ?? "")]).toMatchObject([
      130,
      { ok: false, status: "stopped" },
    ]);
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

test("ASK-40: what follows a command that ends within a line begins one of its own, and a tab stays one", async () => {
  const home = connectedHome(scripted);
  scripted.play([[plan({})], [run("printf 'a\\tb'")], [finish()], [answer("Done.")]]);
  const ran = await choir(home, ["ask", "say it"]);
  expect(ran.aside).toContain("\na\tb\nFinished a task\n");
});

test("ASK-40: why a tool wasn't allowed is told, also where the policy became wrong meanwhile", async () => {
  const home = connectedHome(scripted);
  const broken = gate();
  const second: Turn = [{ until: broken.opened }, run("echo two")];
  scripted.play([[plan({})], [run("echo one")], second, [finish()], [answer("Done.")]]);
  const ran = await choir(home, ["ask", "say it"], undefined, (line) => {
    if (line !== "echo one") return;
    writeFileSync(`${home}/policy.toml`, "allow = [\n");
    broken.open();
  });
  expect(ran.aside).toMatch(/^Wasn't allowed \(.*mends the policy: .*policy\.toml:2: .*\)$/m);
});

test("ASK-40: what was given up is told as that, with why its task failed; a limit is told once, and whole", async () => {
  const home = connectedHome(scripted);
  scripted.play([[plan({})], [finish("There is no such printer.", "failed")], [answer("I can't print it.")]]);
  const failed = await choir(home, ["ask", "print it"]);
  expect([failed.exit, failed.out]).toEqual([1, "I can't print it.\n"]);
  expect(failed.aside).toMatch(/^It gave up: There is no such printer\.$/m);
  expect(failed.aside).not.toContain("paused");
  scripted.play([[plan({})], [finish()], [answer("It can't be done.", { status: "given-up" })]]);
  expect((await choir(home, ["ask", "print it again"])).aside).toMatch(/^It gave up$/m);
  writeFileSync(`${home}/policy.toml`, "[limits.ask]\nsteps = 1\n");
  scripted.play([[plan({})]]);
  const limited = await choir(home, ["ask", "print it now"]);
  expect(limited.aside.match(/^.*The ask reached its limit/gm)).toEqual([
    "It reached a limit: The ask reached its limit",
  ]);
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

describe.each(WAYS)("choir ask whose output is closed, %s", (_, open) => {
  test("ASK-42: where nobody reads what comes any more the ask is stopped, and that is said with exit 141", async () => {
    const home = connectedHome(scripted);
    await open(home);
    const [unread, over] = [gate(), gate()];
    scripted.play([
      [{ until: unread.opened }, plan({})],
      [{ until: over.opened }, run("echo never said")],
    ]);
    onTestFinished(() => over.open());
    const words = ["ask", "--json", "--home", home, "--user", "ada", "think"];
    const asking = spawn(process.execPath, [MAIN, ...words], { env: { PATH: process.env.PATH } });
    const ended = once(asking, "close");
    const said = text(asking.stderr);
    await once(asking.stdout, "data");
    asking.stdout.destroy();
    unread.open();
    const [exit] = await ended;
    expect([exit, await said]).toEqual([141, expect.stringContaining("the ask was stopped")]);
    const paused = (await choir(home, ["events", "--type", "ask.paused"])).out;
    expect(paused.trim().split("\n")).toHaveLength(1);
  });
});

describe.each(WAYS)("choir ask whose side is closed, %s", (_, open) => {
  test("ASK-42: where nobody reads what happens any more, as in '2>&1 | head', the ask is stopped, with 141", async () => {
    const home = connectedHome(scripted);
    await open(home);
    const [unread, over] = [gate(), gate()];
    onTestFinished(() => over.open());
    scripted.play([[plan({})], [{ until: unread.opened }, run("echo one")], [{ until: over.opened }, finish()]]);
    const words = ["ask", "--home", home, "--user", "ada", "think"];
    const asking = spawn(process.execPath, [MAIN, ...words], { env: { PATH: process.env.PATH } });
    const ended = once(asking, "close");
    await once(asking.stderr, "data");
    asking.stderr.destroy();
    asking.stdout.destroy();
    unread.open();
    expect((await ended)[0]).toBe(141);
    const paused = (await choir(home, ["events", "--type", "ask.paused"])).out;
    expect(paused.trim().split("\n")).toHaveLength(1);
  });
});

test("ASK-40: who waits for another command that has the folder is told so", async () => {
  const home = connectedHome(scripted);
  const told = gate();
  scripted.play([[{ until: told.opened }, answer("First.")], [answer("Second.")]]);
  const first = choir(home, ["ask", "the first"]);
  await scripted.received(1);
  const second = await choir(home, ["ask", "the second"], undefined, (line) => {
    if (/^It waits: .* in use by 'choir ask'/.test(line)) told.open();
  });
  expect([(await first).out, second.out]).toEqual(["First.\n", "Second.\n"]);
});

test("ASK-43: with --json the outcome is ok only where the ask was done", async () => {
  const home = connectedHome(scripted);
  const outcome = async (...turns: Turn[]) => {
    scripted.play(turns);
    const ran = await choir(home, ["ask", "--json", "do it"]);
    return [ran.exit, JSON.parse(ran.out.trim().split("\n").at(-1) ?? "")];
  };
  expect(await outcome([answer("Done.")])).toMatchObject([0, { ok: true, status: "done" }]);
  const givenUp = await outcome([answer("It can't be done.", { status: "given-up" })]);
  expect(givenUp).toMatchObject([1, { ok: false, status: "given-up", answer: "It can't be done." }]);
  const wondered = await outcome([{ tool: "ask_user", input: { question: "Which?" } }]);
  expect(wondered).toMatchObject([1, { ok: false, status: "wondering" }]);
  expect(await outcome({ status: 401 })).toMatchObject([1, { ok: false, status: "failed" }]);
});

test("ASK-41, ASK-42: what is told to an ask that runs is over at once; one whose question was answered is followed, and stopped by Ctrl-C", async () => {
  const home = connectedHome(scripted);
  const server = await serve(home);
  onTestFinished(() => server.stop());
  const held = gate();
  const question: Step = { tool: "ask_user", input: { question: "Which?" } };
  scripted.play([[{ until: held.opened }, question], [question]]);
  const running = choir(home, ["ask", "paint it"]);
  await scripted.received(1);
  const { id } = JSON.parse((await choir(home, ["events", "--type", "message", "--json"])).out);
  const told = await choir(home, ["ask", "--in", id, "thinly"]);
  expect([told.exit, told.out]).toEqual([0, ""]);
  expect(told.aside).toContain("It was told to what runs in that conversation.");
  held.open();
  expect((await running).exit).toBe(1);
  scripted.play([[{ until: new Promise(() => {}) }]]);
  const stop = new AbortController();
  const followed = choir(home, ["ask", "--json", "--in", id, "blue"], stop.signal);
  await scripted.received(3);
  stop.abort(new Error("Ctrl-C"));
  const ran = await followed;
  const outcome = JSON.parse(ran.out.trim().split("\n").at(-1) ?? "");
  expect([ran.exit, outcome]).toMatchObject([130, { ask: id, ok: false, status: "stopped" }]);
});

test("ASK-23: what is known of the cost is told, also where not all of it is", async () => {
  const home = connectedHome(scripted);
  const price = '[[price]]\nprovider = "openai-compatible"\nmodel = "director"\nin = 1000\nout = 1000\n';
  writeFileSync(`${home}/prices.toml`, price);
  scripted.play(writesFile("a.md", "hello\n"));
  expect((await choir(home, ["ask", "write a.md"])).aside).toContain(
    "480 tokens, $0.2400 and more, so no limit in USD holds",
  );
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

test("AGENT-40: the demo can be played again beside what it left, and where it may not do something it says so, with exit 1", async () => {
  const home = connectedHome(scripted);
  for (const folder of ["demo", "demo-2"]) {
    const played = await choir(home, ["ask", DEMO_ASK]);
    expect([played.exit, played.out]).toEqual([0, expect.stringContaining(`\`${folder}/index.html\``)]);
    expect((await choir(home, ["cat", `${folder}/index.html`])).out).toContain("Open from seven.");
  }
  writeFileSync(`${home}/policy.toml`, 'never = ["edit demo-3"]\n');
  const refused = await choir(home, ["ask", DEMO_ASK]);
  expect([refused.exit, refused.out]).toEqual([1, expect.stringMatching(/^\*\*Scripted demo\.\*\* It didn't go/)]);
  expect(scripted.requests).toEqual([]);
}, 90_000);
