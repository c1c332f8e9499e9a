import { join } from "node:path";
import { type Computer, openComputer } from "@choiros/computer";
import type { Payload } from "@choiros/contract";

const FIRST_PAGE = `<!doctype html>
<title>Ada's bakery</title>
<h1>Bread, every morning</h1>
<p>Open from seven.</p>
`;

const SECOND_PAGE = FIRST_PAGE.replace(
  "<p>Open from seven.</p>",
  `<p>Open from seven, on Sundays from nine.</p>
<ul>
  <li>Rye</li>
  <li>Spelt</li>
</ul>`,
);

const SPRING = `# Spring

What we bake from **April** on, and what we need for it.

| bread | flour | a day |
| --- | --- | --- |
| Rye | 40 kg | 60 |
| Spelt | 25 kg | 35 |
| Rolls | 18 kg | 400 |

- [x] Ask the mill for spelt
- [ ] New hours on the door: *Sundays from nine*
- [ ] Put the breads on [the page](../site/index.html)

> The best bread is the one that is still warm.
`;

/** The number of its last event. */
export const LAST = 18;
/** That of the one in which the agent changed the page. */
export const CHANGED = 11;

/** What happened on ada's computer before the pictures are taken: small, and always the same. */
export async function live(home: string): Promise<void> {
  const opened = await openComputer({ root: join(home, "users", "ada"), userId: "ada", create: true });
  if (!opened.ok) throw new Error(opened.message);
  const { computer } = opened;
  await write(computer, "notes/spring.md", SPRING);
  await write(computer, "notes/todo.md", "flour\nyeast\n");
  await write(computer, "notes/prices.csv", "bread,3.20\nroll,0.60\n");
  await write(computer, "site/index.html", FIRST_PAGE);
  await write(computer, "site/style.css", "body { font: 18px/1.5 serif; }\n");
  await askAgent(computer, "Put our breads on the page, and the hours on Sundays.", async (cause) => {
    await write(computer, "site/index.html", SECOND_PAGE, { source: "agent", cause });
    await write(computer, "site/breads.json", '["rye", "spelt"]\n', { source: "agent", cause });
  });
  await write(computer, "notes/todo.md", "flour\nsalt\n");
  const removed = await computer.remove("workspace/notes/prices.csv");
  if (removed.ok) await computer.undo({ seq: removed.seq });
  await write(computer, "site/style.css", "body { font: 18px/1.5 serif; max-width: 40rem; }\n");
  await computer.close();
}

type Asked = { readonly ask: string; readonly conversation: string; readonly task: string };

/** As agents tell of it, from the message to the answer. */
async function askAgent(computer: Computer, text: string, work: (cause: Asked) => Promise<void>) {
  const said = await computer.say(text);
  if (!said.ok) throw new Error(said.message);
  const ask = { ask: said.call, conversation: said.call };
  const cause = { ...ask, task: "first-task" };
  const { contents, log } = computer;
  await log.append({ source: "agent", type: "ask.started", cause: ask, payload: { attempt: 1 } });
  await log.append({ source: "agent", type: "task.planned", cause: ask, payload: planOf(text, cause.task) });
  await log.append({ source: "agent", type: "task.started", cause, payload: { attempt: 1 } });
  await work(cause);
  const words = await contents.put(Buffer.from("The breads and the hours are on the page."));
  await log.append({ source: "agent", type: "task.finished", cause, payload: resultOf(words) });
  const answer: Payload<"ask.answered"> = { answer: words, look: ["workspace/site/index.html"], status: "done" };
  await log.append({ source: "agent", type: "ask.answered", cause: ask, payload: answer });
}

function resultOf(summary: Payload<"task.finished">["summary"]): Payload<"task.finished"> {
  return { citations: [], commands_run: [], files_changed: [], questions: [], status: "ok", summary, verify: [] };
}

function planOf(instruction: string, task: string): Payload<"task.planned"> {
  return {
    acceptance_criteria: [],
    allowed_tools: ["write"],
    egress: "none",
    instruction,
    kind: "edit",
    paths: [],
    task_id: task,
    time_budget_s: 60,
    verify: [],
  };
}

type Options = Parameters<Computer["write"]>[2];

async function write(computer: Computer, path: string, text: string, options: Options = {}): Promise<void> {
  const outcome = await computer.write(`workspace/${path}`, Buffer.from(text), options);
  if (!outcome.ok) throw new Error(outcome.message);
}
