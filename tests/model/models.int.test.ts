import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ask, REQUEST } from "./ask.ts";
import { lastToolOutput, lastUserText, type Wire } from "./received.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const WIRES: Wire[] = ["anthropic", "bedrock", "openai-compatible"];

let scripted: ScriptedModel;
beforeEach(async () => {
  scripted = await scriptedModel();
});
afterEach(() => scripted.close());

test.each(WIRES)("MODEL-1: %s: text comes as it is said, and usage as the provider counts it", async (wire) => {
  scripted.play([["Hello, world.", { usage: { in: 50, out: 7, cached: 30 } }]]);
  const said: string[] = [];
  const came: unknown[] = [];
  const answer = await ask(scripted.model(wire), {
    onText: (delta) => said.push(delta),
    onMore: (parts) => came.push(...parts()),
  });
  expect(came).toEqual(expect.arrayContaining([{ text: "Hello, " }, { text: "Hello, world." }]));
  expect(answer).toMatchObject({
    ok: true,
    parts: [{ text: "Hello, world." }],
    stop: "end",
    usage: { in: 50, out: 7, cached: 30 },
  });
  expect(said).toEqual(["Hello, ", "world."]);
});

test.each(WIRES)("MODEL-1: %s: what can be no number of tokens is unknown, and the answer is kept", async (wire) => {
  for (const [usage, known] of [
    [
      { in: -1000, out: -5 },
      { in: null, out: null },
    ],
    [
      { in: 1.5, out: 2.25 },
      { in: null, out: null },
    ],
    [
      { in: 1e300, out: 5 },
      { in: null, out: 5 },
    ],
  ] as const) {
    scripted.play([["Hello.", { usage }]]);
    expect(await ask(scripted.model(wire))).toMatchObject({ ok: true, parts: [{ text: "Hello." }], usage: known });
  }
});

test.each(WIRES)("MODEL-2: %s: tools are called with what the model wrote, in its order", async (wire) => {
  scripted.play([
    [
      "I look.",
      { tool: "read_file", input: { path: "a.md" }, id: "one" },
      { tool: "list_files", input: {}, id: "two" },
    ],
  ]);
  expect(await ask(scripted.model(wire))).toMatchObject({
    ok: true,
    stop: "tools",
    parts: [
      { text: "I look." },
      { call: { id: "one", tool: "read_file", input: { path: "a.md" } } },
      { call: { id: "two", tool: "list_files", input: {} } },
    ],
  });
});

test.each(WIRES)(
  "MODEL-2: %s: a tool's input that isn't JSON is given as it was written, and never as an input",
  async (wire) => {
    scripted.play([[{ tool: "read_file", raw: '{"path": "a.m', id: "one" }]]);
    const answer = await ask(scripted.model(wire));
    expect(answer.parts).toEqual([{ call: { id: "one", tool: "read_file", input: undefined, raw: '{"path": "a.m' } }]);
  },
);

test.each(WIRES)(
  "MODEL-3: %s: a conversation with calls and what they answered goes to the model whole",
  async (wire) => {
    const turn = [
      { tool: "read_file", input: { path: "a.md" }, id: "one" },
      { tool: "read_file", raw: "nope", id: "two" },
    ];
    scripted.play([turn, (request) => `It says ${lastToolOutput(request)}, for ${lastUserText(request)}`]);
    const model = scripted.model(wire);
    const tools = [{ name: "read_file", description: "Reads.", input: { type: "object", properties: {} } }];
    const first = await ask(model, {}, { tools });
    const second = await ask(
      model,
      {},
      {
        tools,
        messages: [
          ...REQUEST.messages,
          { role: "assistant", parts: [{ text: " " }, ...first.parts] },
          {
            role: "tools",
            results: [
              { id: "one", tool: "read_file", text: "apples", failed: false },
              { id: "two", tool: "read_file", text: "not JSON", failed: true },
            ],
          },
          { role: "user", text: "me" },
        ],
      },
    );
    expect(second.parts).toEqual([{ text: "It says not JSON, for me" }]);
    expect(scripted.requests[1]).toMatchObject({
      system: REQUEST.system,
      tools: ["read_file"],
      messages: [
        { role: "user", text: "Say something." },
        { role: "tool", text: "apples" },
        { role: "tool", text: "not JSON" },
        { role: "user", text: "me" },
      ],
    });
  },
);

test.each(["anthropic", "bedrock"] as const)(
  "MODEL-3: %s: signed thoughts go back as they came, another's don't",
  async (wire) => {
    scripted.play([[{ thought: "Hm.", signature: "c2lnbmVk" }, "Yes."], "Well."]);
    const model = scripted.model(wire, { name: "anthropic.claude-sonnet-5" });
    const { parts } = await ask(model);
    expect(parts).toMatchObject([{ thought: "Hm." }, { text: "Yes." }]);
    const foreign = { thought: "Elsewhere.", own: { model: "another", [wire]: { signature: "x" } } };
    const messages = [
      ...REQUEST.messages,
      { role: "assistant" as const, parts: [foreign, ...parts] },
      { role: "user" as const, text: "And?" },
    ];
    await ask(model, {}, { messages });
    expect(scripted.requests[1]?.text).toContain("c2lnbmVk");
    expect(scripted.requests[1]?.text).not.toContain("Elsewhere");
  },
);

test.each(WIRES)(
  "MODEL-4: %s: an answer that was cut off by its length, and one that wasn't let through, say so",
  async (wire) => {
    scripted.play([
      ["Once upon", { stop: "length" }],
      ["No", { stop: "refused" }],
    ]);
    const model = scripted.model(wire);
    expect(await ask(model)).toMatchObject({ ok: true, stop: "length", parts: [{ text: "Once upon" }] });
    expect(await ask(model)).toMatchObject({
      ok: false,
      why: "refused",
      parts: [{ text: "No" }],
      usage: { in: 100, out: 20 },
    });
  },
);

test("MODEL-5: Anthropic is told what to keep in its cache: the system's text and the last two that aren't its own", async () => {
  scripted.play(["Yes."]);
  await ask(
    scripted.model("anthropic"),
    {},
    {
      messages: [
        { role: "user", text: "one" },
        { role: "assistant", parts: [{ text: "two" }] },
        { role: "user", text: "three" },
        { role: "assistant", parts: [{ text: "four" }] },
        { role: "user", text: "five" },
      ],
    },
  );
  const { system, messages } = JSON.parse(scripted.requests[0]?.text ?? "{}");
  const mark = { cache_control: { type: "ephemeral" } };
  expect(system).toMatchObject([mark]);
  expect(messages.map(({ content }: { content: { cache_control?: object }[] }) => content[0]?.cache_control)).toEqual([
    undefined,
    undefined,
    mark.cache_control,
    undefined,
    mark.cache_control,
  ]);
});

test("MODEL-5: of Bedrock's models only those are told that know how", async () => {
  scripted.play(["Yes.", "Yes."]);
  await ask(scripted.model("bedrock", { name: "us.anthropic.claude-sonnet-5" }));
  await ask(scripted.model("bedrock", { name: "meta.llama3-70b-instruct-v1:0" }));
  expect(scripted.requests.map(({ text }) => text.includes("cachePoint"))).toEqual([true, false]);
});

test.each(WIRES)("MODEL-6: %s: the key is in a header and nowhere else", async (wire) => {
  scripted.play(["Yes."]);
  await ask(scripted.model(wire));
  const [request] = scripted.requests;
  expect(JSON.stringify(request?.headers)).toContain("sk-scripted");
  expect(`${request?.path} ${request?.text}`).not.toContain("sk-scripted");
});

test.each(WIRES)("MODEL-2: %s: whatever is said and called arrives unchanged", async (wire) => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
  const call = fc.record({
    tool: fc.constant("write_file"),
    input: fc.dictionary(text, fc.jsonValue(), { noNullPrototype: true }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, call), { minLength: 1, maxLength: 6 }), async (steps) => {
      scripted.play([steps]);
      const { ok, parts } = await ask(scripted.model(wire));
      expect(ok).toBe(true);
      const said = parts.flatMap((part) => ("text" in part ? [part.text] : []));
      expect(said.join("")).toBe(steps.filter((step) => typeof step === "string").join(""));
      const inputs = parts.flatMap((part) => ("call" in part ? [JSON.stringify(part.call.input)] : []));
      expect(inputs).toEqual(steps.flatMap((step) => (typeof step === "string" ? [] : [JSON.stringify(step.input)])));
    }),
    { numRuns: 40 },
  );
});

test("MODEL-3: how much may be said is told in the word that the model knows", async () => {
  scripted.always("Yes.");
  for (const name of ["gpt-5-mini", "o3", "llama3.2"]) await ask(scripted.model("openai-compatible", { name }));
  const limits = scripted.requests.map(({ text }) => /"(max_\w+)":1000/.exec(text)?.[1]);
  expect(limits).toEqual(["max_completion_tokens", "max_completion_tokens", "max_tokens"]);
});
