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
