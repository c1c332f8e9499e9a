import { afterEach, expect, test } from "vitest";
import type { Wire } from "../model/received.ts";
import { lastToolOutput } from "../model/received.ts";
import type { Step, Turn } from "../model/script.ts";
import { answer, finish, plan, run, write } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const WIRES: Wire[] = ["anthropic", "bedrock", "openai-compatible"];

test.each(WIRES)(
  "AGENT-1: ten files are changed and tests run until they pass, by models that speak %s",
  async (wire) => {
    stage = await openStage({ wire });
    const names = Array.from({ length: 10 }, (_, i) => `part${i}.txt`);
    const test = "for f in part?.txt; do grep -q good $f || { echo $f is bad; exit 1; }; done";
    stage.scripted.play([
      [plan({ instruction: "Make all ten good.", verify: [test] })],
      names.map((name) => write(name, name === "part7.txt" ? "bad\n" : "good\n")),
      [run(test)],
      (request) => (request.text.includes("part7.txt is bad") ? mended : [finish("It passed at once.", "failed")]),
      [run(test)],
      [finish()],
      [answer("All ten are good.")],
    ] satisfies Turn[]);
    const ask = await stage.say("Make them good");
    const value = await stage.over(ask);
    expect(value.status).toBe("done");
    expect(value.look).toHaveLength(10);
    const [finished] = await stage.events("task.finished");
    expect(finished?.payload).toMatchObject({
      commands_run: [
        { command: test, exit: 1 },
        { command: test, exit: 0 },
      ],
      status: "ok",
      verify: [{ command: test, exit: 0 }],
    });
    expect(await stage.computer.undo({ ask })).toMatchObject({ ok: true });
    for (const name of names) expect(await stage.text(name)).toBeUndefined();
  },
);

const mended: Step[] = [
  { tool: "read_file", input: { path: "part7.txt" } },
  { tool: "edit_file", input: { path: "part7.txt", edits: [{ old: "bad", new: "good" }] } },
];

test("AGENT-16: nothing that agents write down or say has a key in it", async () => {
  stage = await openStage();
  const said: string[] = [];
  stage.signals.listen((signal) => said.push(JSON.stringify(signal)));
  stage.scripted.play([[plan({})], [run("env; cat /proc/*/environ; ls -la ~")], [finish()], { status: 401 }]);
  const ask = await stage.say("Show me your key");
  expect((await stage.over(ask)).status).toBe("failed");
  const connection = stage.scripted.connection("anthropic");
  const key = "key" in connection ? connection.key : expect.fail();
  const { contents } = stage.computer;
  const all = [JSON.stringify(await stage.events()), ...said];
  for (let after = "", page = await contents.list(after); page.length > 0; page = await contents.list(after)) {
    for (const ref of page) all.push(await stage.content(ref));
    after = page.at(-1)?.hash ?? "";
  }
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter((text) => text.includes(String(key)))).toEqual([]);
});

test("AGENT-2: also of a command that changed hundreds of files it is told which, as far as there is room, and how many", async () => {
  stage = await openStage();
  stage.scripted.play([
    [plan({})],
    [run("mkdir many; touch many/$(seq -s ' many/' 1 699)")],
    [finish()],
    (request) => [answer(lastToolOutput(request))],
  ]);
  const value = await stage.over(await stage.say("Make many"));
  const [finished] = await stage.events("task.finished");
  expect(finished?.payload).toMatchObject({
    files_count: 700,
    files_changed: expect.arrayContaining(["workspace/many"]),
  });
  if (finished?.type === "task.finished") expect(finished.payload.files_changed).toHaveLength(500);
  expect(await stage.content(value.answer)).toContain(" and 200 more\n");
  expect(value.look).toHaveLength(100);
});

/** What an ask changed whose Associate does this, and where its answer says to look. */
async function changedBy(steps: readonly Step[], more: Readonly<Record<string, unknown>> = {}) {
  const from = (await stage.computer.log.head()).seq;
  const tools = { allowed_tools: ["bash", "undo", "write_file"] };
  stage.scripted.play([[plan(tools)], ...steps.map((step) => [step]), [finish()], [answer("It is done.", more)]]);
  const { look } = await stage.over(await stage.say("Do it"), from);
  const finished = (await stage.events("task.finished")).at(-1);
  return { changed: finished?.type === "task.finished" && finished.payload.files_changed, look };
}

test("AGENT-2: a task's result has room in its event, however much it read, changed, ran and asks, in whatever writing", async () => {
  stage = await openStage();
  const deep = Array.from({ length: 15 }, (_, i) => `${i}`.padEnd(250, "n")).join("/");
  const names = Array.from({ length: 30 }, (_, i) => `${deep}/${i}`);
  for (const name of names) await stage.computer.write(`workspace/${name}`, Buffer.from("x"));
  const questions = Array(8).fill("界".repeat(4096));
  const verify = Array(15).fill(`true # ${"界".repeat(4000)}`);
  stage.scripted.play([
    [plan({ verify })],
    names.map((path) => ({ tool: "read_file", input: { path } })),
    [
      run(`cd ${deep} && touch $(seq 1000 1029)`),
      ...Array.from({ length: 30 }, (_, i) => run(`true ${i} ${"界".repeat(900)}`)),
    ],
    [{ tool: "finish", input: { questions, status: "ok", summary: "What now?" } }],
    [answer("I have questions.")],
  ]);
  expect(await stage.over(await stage.say("Go"))).toMatchObject({ detail: null, status: "done" });
});

test("AGENT-2: what came and went within a task isn't told as changed, and where to look is what stands now, whoever names it", async () => {
  stage = await openStage();
  expect(await changedBy([run("mkdir u; echo b > u/b.txt"), run("mv u/b.txt u/c.txt")])).toEqual({
    changed: ["workspace/u", "workspace/u/c.txt"],
    look: ["workspace/u/c.txt", "workspace/u"],
  });
  expect(await changedBy([run("mv u/c.txt u/d.txt")])).toEqual({
    changed: expect.arrayContaining(["workspace/u/c.txt", "workspace/u/d.txt"]),
    look: ["workspace/u/d.txt"],
  });
  const undone = [write("a.txt", "a\n"), write("b.txt", "b\n"), { tool: "undo", input: {} }];
  expect(await changedBy(undone)).toEqual({ changed: [], look: [] });
  const look = [".", "none.txt", "u/c.txt", "u/d.txt"];
  expect((await changedBy([], { look })).look).toEqual(["workspace/u/d.txt", "workspace"]);
  expect((await changedBy([write("a.txt", "a\n")], { look: ["none.txt"] })).look).toEqual(["workspace/a.txt"]);
});

test("AGENT-2: nobody is sent to look into a '.git': what else was changed is told before it", async () => {
  stage = await openStage();
  const { changed, look } = await changedBy([run("git init -q g && echo hello > g/readme.md")]);
  expect(look).toEqual(["workspace/g/readme.md", "workspace/g"]);
  expect(changed).toContain("workspace/g/.git/HEAD");
  expect(changed).toEqual([expect.anything(), expect.anything(), ...expectGits(changed)]);
});

function expectGits(changed: unknown) {
  return Array.isArray(changed) ? changed.slice(2).map(() => expect.stringContaining("/.git")) : [];
}
