import { expect, test } from "vitest";
import type { ModelMessage } from "../models/model.ts";
import { demoModels } from "./demo-models.ts";

const ASKED: ModelMessage = { role: "user", text: "Scripted demo: bread" };
const request = (messages: readonly ModelMessage[]) => ({ system: "", messages, tools: [], maxTokens: 100 });
const signal = new AbortController().signal;

test("AGENT-40: the demo says by every event that it is a script, plays its turns in order, and ends", async () => {
  const { director } = demoModels({ slow: false });
  expect(director).toMatchObject({ provider: "demo", name: "a script, no model" });
  const messages: ModelMessage[] = [ASKED];
  const tools: string[] = [];
  for (;;) {
    const answer = await director.ask(request(messages), { signal });
    if (!answer.ok) throw new Error(answer.message);
    if (answer.stop === "end") break;
    tools.push(...answer.parts.flatMap((part) => ("call" in part ? [part.call.tool] : [])));
    messages.push({ role: "assistant", parts: answer.parts });
  }
  expect(tools).toEqual(["plan", "answer"]);
});

test("AGENT-40: what the demo says comes word by word, and ends at once when it is stopped", async () => {
  const { associate } = demoModels();
  const stop = new AbortController();
  const said: string[] = [];
  const answer = await associate.ask(request([ASKED]), {
    signal: stop.signal,
    onText: (word) => {
      said.push(word);
      stop.abort();
    },
  });
  expect(answer).toMatchObject({ ok: false, why: "stopped" });
  expect(said).toEqual(["First "]);
});
