import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Turn } from "../model/script.ts";
import { scriptedModel } from "../model/scripted-model.ts";
import type { CrashOrder } from "./crash-run.ts";
import { crashScript, LEFT } from "./crash-script.ts";
import { answer, finish, plan } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

/** What an ask appends that nobody cuts off. */
const EVENTS = [
  ...["ask.started", "model.call", "task.planned", "task.approved", "task.started"],
  ...["model.call", "tool.call", "file.write", "tool.result"],
  ...["model.call", "tool.call", "files.changed", "tool.result"],
  ...["model.call", "tool.call", "tool.result", "receipt.check", "task.finished"],
  ...["model.call", "ask.answered"],
];
/** After these something happens before the next one: a command runs, a file lands, a user is told. */
const EFFECTS = ["tool.call", "file.write", "files.changed", "ask.answered"];

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

interface Last {
  /** What was appended before it was killed. */
  readonly seen: readonly string[];
  /** What was about to be. */
  readonly next: string;
}

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
  const { ask, stage } = await crashed({ after: 3, when: "after" }, question);
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
  const { ask, stage } = await crashed({ after: 4, when: "after" }, [plan({ egress: ["example.org"] })]);
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

/** An ask that was killed there, opened again. */
async function crashed({ after, when }: Pick<CrashOrder, "after" | "when">, turn: Turn = crashScript) {
  const home = newHome();
  const scripted = await scriptedModel();
  scripted.always(turn);
  const ask = newId();
  const last = await killed({ home, connection: scripted.connection("anthropic"), ask, after, when });
  if (last === undefined) throw new Error("It came to its end.");
  return { ask, stage: await openStage({ home, scripted }), last };
}

function newHome(): string {
  return mkdtempSync(join(tmpdir(), "choir-crash-"));
}

/** Runs the process that kills itself; `undefined` where it came to its end before that. */
async function killed(order: CrashOrder): Promise<Last | undefined> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "crash-run.ts"), JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  const [code, signal] = await once(child, "close");
  if (code === 0) return undefined;
  expect(signal).toBe("SIGKILL");
  const lines = Buffer.concat(said).toString().trim().split("\n");
  const next = lines.pop()?.slice("dies ".length) ?? "";
  return { seen: lines, next };
}

/** No call is made twice, and no answer that was received is asked for again. */
async function expectNothingTwice(stage: Stage, last: Last): Promise<void> {
  const calls = (await stage.events("tool.call")).map(({ cause }) => cause?.call);
  expect(new Set(calls).size).toBe(calls.length);
  const interrupted = (await stage.events("tool.result")).filter(
    ({ type, payload }) => type === "tool.result" && payload.status === "interrupted",
  );
  const paid = await stage.events("model.call");
  // A step that left nothing is done again: that is one more answer, and only then.
  const again = stage.scripted.requests.length - paid.length;
  expect(again).toBe(last.next === "model.call" ? 1 : 0);
  const asked = EVENTS.filter((type) => type === "model.call").length;
  expect(paid.length - asked).toBeLessThanOrEqual(interrupted.length);
}
