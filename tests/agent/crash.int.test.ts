import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "@choiros/contract";
import { expect, test } from "vitest";
import { lastToolOutput, type Received } from "../model/received.ts";
import type { Turn } from "../model/script.ts";
import { scriptedModel } from "../model/scripted-model.ts";
import { crashScript, LEFT } from "./crash-script.ts";
import { crashed, killed, type Last, newHome, startCrash } from "./crashed.ts";
import { answer, finish, plan } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

/** What an ask appends that nobody cuts off. */
const EVENTS = [
  ...["ask.started", "model.asked", "model.call", "task.planned", "task.approved", "task.started"],
  ...["model.asked", "model.call", "tool.call", "file.write", "tool.result"],
  ...["model.asked", "model.call", "tool.call", "files.changed", "tool.result"],
  ...["model.asked", "model.call", "tool.call", "tool.result", "receipt.check", "task.finished"],
  ...["model.asked", "model.call", "ask.answered"],
];
/** After these something happens before the next one: a model answers, a command runs, a file lands, a user is told. */
const EFFECTS = ["model.asked", "tool.call", "file.write", "files.changed", "ask.answered"];

/** Right before each event, with all that went before; and right after those that lead to something. */
const points = EVENTS.flatMap((type, i) => [
  { when: "before", type, after: i } as const,
  ...(EFFECTS.includes(type) ? [{ when: "after", type, after: i + 1 } as const] : []),
]);

test.each(points)(
  "ASK-12: killed $when $type ($after), an ask is told as interrupted, and resumed it ends with every step done once",
  async (point) => {
    const { ask, stage, last } = await crashed(point);
    try {
      expect((await stage.computer.unfinished()).events).toEqual([]);
      expect(last.seen).toEqual(EVENTS.slice(0, point.after));
      const { status } = await stage.value(ask);
      // Before it was begun it is as it was; after its answer it is over.
      if (!last.seen.includes("ask.started")) expect(["queued", "running"]).toContain(status);
      else if (last.seen.includes("ask.answered")) expect(status).toBe("done");
      else expect(status).toBe("interrupted");
      const from = status === "interrupted" ? await stage.resume(ask) : 1;
      expect(await stage.over(ask, from)).toMatchObject({ status: "done" });
      for (const [name, text] of Object.entries(LEFT)) expect(await stage.text(name)).toBe(text);
      await expectNothingTwice(stage, last);
    } finally {
      await stage.close();
    }
  },
);

test("ASK-12: killed again and again, an ask comes to its end, with every step done once", async () => {
  const home = newHome();
  const scripted = await scriptedModel();
  scripted.always(crashScript);
  const ask = newId();
  const order = { home, connection: scripted.connection("anthropic"), ask, after: 10, when: "after" } as const;
  let times = 0;
  for (let dying = await killed(order); dying !== undefined; dying = await killed({ ...order, resume: true })) {
    times += 1;
    expect(times).toBeLessThan(10);
  }
  expect(times).toBeGreaterThan(1);
  const stage = await openStage({ home, scripted });
  try {
    expect(await stage.value(ask)).toMatchObject({ attempt: times + 1, status: "done" });
    for (const [name, text] of Object.entries(LEFT)) expect(await stage.text(name)).toBe(text);
  } finally {
    await stage.close();
  }
});

test("ASK-12: killed while it waits for an answer, an ask asks again when it is resumed", async () => {
  const question: Turn = [{ tool: "ask_user", input: { question: "Which?" } }];
  const { ask, stage } = await crashed({ after: 4, when: "after" }, question);
  try {
    expect(await stage.value(ask)).toMatchObject({ question: null, status: "interrupted" });
    const from = await stage.resume(ask);
    await stage.when(ask, "ask.wondered", from);
    expect(stage.scripted.requests).toHaveLength(1);
    stage.scripted.play([[answer("Blue.")]]);
    await stage.say("blue", { conversation: ask });
    expect((await stage.over(ask, from)).status).toBe("done");
  } finally {
    await stage.close();
  }
});

test("ASK-12: killed while it waits for an approval, what it asked for is denied, and asked for again when it is resumed", async () => {
  const { ask, stage } = await crashed({ after: 5, when: "after" }, [plan({ egress: ["example.org"] })]);
  try {
    expect((await stage.computer.unfinished()).events).toEqual([]);
    expect((await stage.value(ask)).status).toBe("interrupted");
    const from = await stage.resume(ask);
    const asked = await stage.when(ask, "approval.asked", from);
    if (asked.type === "approval.asked") await stage.computer.answer(asked.payload.approval, "task");
    stage.scripted.play([[finish()], [answer("Done.")]]);
    expect((await stage.over(ask, from)).status).toBe("done");
    expect(stage.scripted.requests).toHaveLength(3);
  } finally {
    await stage.close();
  }
});

test("ASK-12: killed while a model speaks, an ask goes on with what was said by then, and pays for it once", async () => {
  const home = newHome();
  const scripted = await scriptedModel();
  scripted.always(["It was a dark and stormy night", { until: new Promise(() => {}) }]);
  const ask = newId();
  const order = { home, connection: scripted.connection("anthropic"), ask, after: 1000, when: "after" } as const;
  const child = startCrash(order);
  const answers = join(home, "users/ada/.choir/answers");
  await expect.poll(() => spokenIn(answers)).toContain("It was a dark and stormy night");
  child.kill("SIGKILL");
  await once(child, "close");
  const stage = await openStage({ home, scripted });
  try {
    expect(await stage.value(ask)).toMatchObject({ cost_unknown: true, status: "interrupted" });
    const [call] = await stage.events("model.call");
    expect(call?.payload).toMatchObject({ cost_usd: null, status: "interrupted", tokens_in: null, tokens_out: null });
    expect(readdirSync(answers)).toEqual([]);
    scripted.always("; the rain fell in torrents.");
    const { answer: said } = await stage.over(ask, await stage.resume(ask));
    expect(await stage.content(said)).toBe("It was a dark and stormy night; the rain fell in torrents.");
    const { messages, text } = scripted.requests[1] ?? expect.fail();
    expect(messages.map((one) => `${one.role}: ${one.text}`)).toContain("assistant: It was a dark and stormy night");
    expect(text).toContain("Go on from exactly where you stopped");
    expect(scripted.requests).toHaveLength(2);
  } finally {
    await stage.close();
  }
});

/** What was written there of an answer that isn't over. */
function spokenIn(dir: string): string {
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith(".json")) : [];
  return names.map((name) => readFileSync(join(dir, name), "utf8")).join("");
}

/** What an ask appends whose only work is a check. */
const CHECKED = [
  ...["ask.started", "model.asked", "model.call", "task.planned", "task.approved", "task.started"],
  ...["model.asked", "model.call"],
  ...["tool.call", "files.changed", "tool.result", "receipt.check", "task.finished"],
];

/** Its check shows in a file how often it was run. */
function checkScript(request: Received): Turn {
  if (!request.tools.includes("plan")) return [finish()];
  const told = request.messages.some(({ role }) => role === "tool");
  return told ? [answer(lastToolOutput(request))] : [plan({ verify: ["echo checked >> checks.txt"] })];
}

test("AGENT-2: a check that ended before a kill isn't run again, and what it came to holds", async () => {
  const { ask, stage } = await crashed({ after: CHECKED.indexOf("receipt.check"), when: "before" }, checkScript);
  try {
    const value = await stage.over(ask, await stage.resume(ask));
    expect(await stage.content(value.answer)).toContain("Check (passed): echo checked");
    expect(await stage.text("checks.txt")).toBe("checked\n");
    expect((await stage.events("receipt.check")).map(({ payload }) => payload)).toMatchObject([{ exit: 0 }]);
  } finally {
    await stage.close();
  }
});

test("AGENT-2: a check whose files had landed before a kill isn't run again; that nobody knows its end is a failure", async () => {
  const { ask, stage } = await crashed({ after: CHECKED.indexOf("tool.result"), when: "before" }, checkScript);
  try {
    const value = await stage.over(ask, await stage.resume(ask));
    expect(value.status).toBe("given-up");
    expect(await stage.content(value.answer)).toContain("Check (failed, exit 125): echo checked");
    expect(await stage.text("checks.txt")).toBe("checked\n");
  } finally {
    await stage.close();
  }
});

test("AGENT-2: a check that a kill ended before anything of it landed is run again", async () => {
  const { ask, stage } = await crashed({ after: CHECKED.indexOf("files.changed"), when: "before" }, checkScript);
  try {
    expect((await stage.over(ask, await stage.resume(ask))).status).toBe("done");
    expect(await stage.text("checks.txt")).toBe("checked\n");
  } finally {
    await stage.close();
  }
});

/** No call is made twice, and no answer that was received is asked for again. */
async function expectNothingTwice(stage: Stage, last: Last): Promise<void> {
  const calls = (await stage.events("tool.call")).map(({ cause }) => cause?.call);
  expect(new Set(calls).size).toBe(calls.length);
  const interrupted = (await stage.events("tool.result", "model.call")).filter(
    ({ payload }) => "status" in payload && payload.status === "interrupted",
  );
  // Each request is an event, whatever came of it; one that was about to go out is, too.
  const asked = await stage.events("model.asked");
  const paid = await stage.events("model.call");
  expect(paid.map(({ id }) => `${id}-asked`).sort()).toEqual(asked.map(({ id }) => id).sort());
  const unsent = last.next === "" && last.seen.at(-1) === "model.asked" ? 1 : 0;
  expect(paid.length - stage.scripted.requests.length).toBe(unsent);
  // A step that left nothing is done again: that is one more answer, and only then.
  const wanted = EVENTS.filter((type) => type === "model.call").length;
  expect(paid.length - wanted).toBeLessThanOrEqual(interrupted.length);
  expect(spokenIn(join(stage.computer.root, ".choir/answers"))).toBe("");
}
