import type { Computer } from "@choiros/computer";
import type { Cause } from "@choiros/contract";

const text = (words: string) => Buffer.from(`${words}\n`);

/**
 * Events 2 to 14: two notes, an ask with a task and a command in it that made two files, windows that were moved, a note
 * written over, an undo.
 */
export async function anEventfulDay(computer: Computer): Promise<void> {
  await computer.write("workspace/notes.md", text("buy milk"));
  await computer.write("workspace/plan.md", text("# Plan"));
  const said = await computer.say("Add an RSS feed and test it"); // 4
  if (!said.ok) throw new Error(said.message);
  const [message] = await Array.fromAsync(computer.log.read({ from: said.seq }));
  const ask = message?.cause?.ask ?? "";
  const { log } = computer;
  await log.append({
    source: "agent",
    type: "task.planned",
    cause: { ask },
    payload: {
      acceptance_criteria: [],
      allowed_tools: ["exec"],
      egress: "none",
      instruction: "Write feed.ts and its test",
      kind: "edit",
      paths: [],
      task_id: TASK,
      time_budget_s: 60,
      verify: [],
    },
  });
  const cause: Cause = { ask, call: CALL, task: TASK };
  await log.append({ source: "agent", type: "task.started", cause: { ask, task: TASK }, payload: { attempt: 1 } });
  const input = await computer.contents.put(text(JSON.stringify({ argv: ["npm", "test"], cwd: "workspace" })));
  await log.append({ source: "agent", type: "tool.call", cause, payload: { input, tool: "exec" } });
  await computer.write("workspace/site/feed.ts", text("export const feed = [];"), { cause, source: "agent" });
  await computer.write("workspace/site/feed.test.ts", text("test();"), { cause, source: "agent" });
  const output = await computer.contents.put(text("\u001b[32m✓\u001b[0m feed has an entry for each page\n\n1 passed"));
  await log.append({ source: "agent", type: "tool.result", cause, payload: { exit: 0, output, status: "ok" } });
  await computer.write("workspace/notes.md", text("buy bread")); // 11
  await computer.write("workspace/notes.md", text("buy cheese")); // 12
  await computer.write("workspace/odd\u202etxt.md", text("odd")); // 13
  await computer.undo({ seq: 3 }); // 14
}

const TASK = "01jc00000000000000000000tt";
const CALL = "01jc00000000000000000000kk";
