import { ContentRef, reasonOf } from "@choiros/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ToolDesk, toolStage } from "./testing/tool-stage.ts";
import { TOOLS } from "./tools.ts";

const stage = toolStage();

/** What models write for paths, hosts and ids when they are wrong. */
const word = fc.oneof(
  fc.constantFrom(
    ...["", "/", ".", "..", "//", "a//b", "a\nb", "a\0b", "\ud800", '"', "~", "a.md", "a.md/x", "nope", ".env", "*"],
    ...[
      "/workspace//e9",
      "/workspace///ff",
      ".//ff",
      "a//ff",
      "/.git",
      "/.choir/log",
      "/home/choir/../etc",
      "/choiros",
    ],
    ...["127.0.0.1", "[::1]", "example.org.", "git+pkg", "a_b.example", "http://a.example", "x".repeat(5000)],
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const value = fc.oneof(word, fc.array(word, { maxLength: 3 }), fc.boolean(), fc.integer(), fc.jsonValue());

/** Each tool with its own fields, filled with what fits, nearly fits, or doesn't. */
function useOf(name: string): fc.Arbitrary<readonly [string, unknown]> {
  const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    ...Object.fromEntries(["path", "cwd", "job", "call", "text", "title", "regex"].map((field) => [field, word])),
    ...Object.fromEntries(["edits", "hosts", "secrets"].map((field) => [field, fc.array(word, { maxLength: 2 })])),
    command: fc.constantFrom("true", "cat .env", "a\0b", "x".repeat(30_000)),
    content: word,
    kind: fc.constantFrom("observed", "asked", "else"),
    timeout_s: fc.constantFrom(1, 0, 3600),
  };
  const own = Object.keys(Object(TOOLS.find((tool) => tool.name === name)?.input).shape ?? {});
  const fitting = Object.fromEntries(own.map((field) => [field, fields[field] ?? value]));
  const input = fc.oneof({ weight: 5, arbitrary: fc.record(fitting, { requiredKeys: [] }) }, fc.jsonValue());
  return input.map((one) => [name, one] as const);
}

/** Whatever is asked, the answer is no. */
async function denyAll({ computer }: ToolDesk, signal: AbortSignal): Promise<void> {
  for await (const { type, payload } of computer.log.subscribe({ signal }))
    if (type === "approval.asked") await computer.answer(String(payload.approval), "denied");
}

test("TOOL-2: whatever a model gives to a tool, it is answered, and both are in the log", {
  timeout: 120_000,
}, async () => {
  const desk = await stage({ paths: ["workspace/src"] });
  await desk.write("a.md", "x\n");
  await desk.write(".env", "SESAME=1\n");
  const over = new AbortController();
  const denying = denyAll(desk, over.signal);
  const uses = fc.oneof(...TOOLS.map(({ name }) => useOf(name)));
  await fc.assert(
    fc.asyncProperty(uses, async ([tool, input]) => {
      const before = await desk.head();
      const done = await desk.use(tool, input);
      expect(["ok", "failed", "denied"]).toContain(done.status);
      const types = await desk.types(before + 1);
      expect(types.filter((type) => type === "tool.call")).toHaveLength(1);
      if (!done.text.startsWith("it runs as job")) expect(types).toContain("tool.result");
    }),
    { numRuns: 150, seed: 9 }, // always the same: what fails here was changed, not drawn
  );
  over.abort();
  await denying;
});

test("TOOL-2: a folder to begin in that isn't there is told, and the command is over", async () => {
  const desk = await stage();
  await desk.write("a.md", "x\n");
  for (const cwd of ["nope", "a.md", `deep/${"n/".repeat(900)}x`]) {
    const from = (await desk.head()) + 1;
    const done = await desk.use("bash", { command: "touch ran", cwd });
    expect(done).toMatchObject({ status: "failed", text: expect.stringContaining("the command could not be run") });
    expect(await desk.types(from)).toEqual(["tool.call", "tool.result"]);
  }
  expect((await desk.computer.unfinished()).events).toEqual([]);
});

test("LEASE-1: the question has the whole call with it, and shows the beginning and the end of what is long", async () => {
  const desk = await stage({ paths: [] });
  const content = "y".repeat(5000);
  const asked = desk.answerNext("denied");
  await desk.use("write_file", { path: "a.md", content });
  await asked;
  const { payload } = (await desk.events()).find(({ type }) => type === "approval.asked") ?? {};
  const whole = await desk.computer.contents.get(ContentRef.parse(payload?.whole).hash);
  const bytes = Buffer.concat(await Array.fromAsync(whole ?? []));
  expect(bytes.toString()).toBe(`write_file ${JSON.stringify({ path: "a.md", content })}`);
  expect(reasonOf(String(payload?.why))?.given).toEqual([
    ["path", ["a.md"]],
    ["content beginning", [expect.stringMatching(/^y+$/)]],
    ["content characters left out", [expect.stringMatching(/^\d+$/)]],
    ["content end", [expect.stringMatching(/^y+$/)]],
  ]);
});
