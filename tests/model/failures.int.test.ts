import { createServer } from "node:http";
import { connectModel, type ModelUsage } from "@choiros/agent";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ask } from "./ask.ts";
import type { Wire } from "./received.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const WIRES: Wire[] = ["anthropic", "bedrock", "openai-compatible"];
const NEVER = new Promise<never>(() => undefined);

let scripted: ScriptedModel;
beforeEach(async () => {
  scripted = await scriptedModel();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await scripted.close();
});

test.each(WIRES)("MODEL-7: %s: who is busy or falls over is asked again, and each wait is told", async (wire) => {
  scripted.play([{ status: 429 }, { status: 500 }, { status: 529 }, [{ error: "overloaded" }], "At last."]);
  const waits: string[] = [];
  const onWait = (why: string) => waits.push(why);
  expect(await ask(scripted.model(wire), { onWait })).toMatchObject({ ok: true, parts: [{ text: "At last." }] });
  expect(waits).toEqual([
    expect.stringContaining("too many requests (429)"),
    expect.stringContaining("(500)"),
    expect.stringContaining("(529)"),
    expect.any(String), // each has its own words in the middle of an answer
  ]);
  expect(scripted.requests).toHaveLength(5);
});

test.each(WIRES)(
  "MODEL-7: %s: an answer that is cut off before anything of it came is asked for again, and what was counted is told",
  async (wire) => {
    scripted.play([[{ cut: true }], ["", { cut: true }, { usage: { in: 70, cached: 20 } }], "At last."]);
    const lost: ModelUsage[] = [];
    const answer = await ask(scripted.model(wire), { onLost: async (used) => void lost.push(used) });
    expect(answer).toMatchObject({ ok: true, parts: [{ text: "At last." }], usage: { in: 100, out: 20 } });
    expect(scripted.requests).toHaveLength(3);
    // only Anthropic says what it has read before it answers
    const read = [
      { in: 100, out: null, cached: 0, written: 0 },
      { in: 70, out: null, cached: 20, written: 0 },
    ];
    expect(lost).toEqual(wire === "anthropic" ? read : []);
  },
);

test("MODEL-7: what the last try used is told once: with the answer, also where it is stopped before another", async () => {
  scripted.always([{ cut: true }]);
  const lost: ModelUsage[] = [];
  const onLost = async (used: ModelUsage) => void lost.push(used);
  const given = await ask(scripted.model("anthropic", { timing: { tries: 3 } }), { onLost });
  expect([given, lost.length]).toMatchObject([{ ok: false, why: "unreachable", usage: { in: 100 } }, 2]);
  const stop = new AbortController();
  const stopped = await ask(scripted.model("anthropic"), { onLost, signal: stop.signal, onWait: () => stop.abort() });
  expect([stopped, lost.length]).toMatchObject([{ ok: false, why: "stopped", usage: { in: 100 } }, 2]);
});

test("MODEL-7: it is asked so many times, and no more", async () => {
  scripted.always({ status: 503 });
  expect(await ask(scripted.model("anthropic", { timing: { tries: 3 } }))).toMatchObject({ ok: false, why: "busy" });
  expect(scripted.requests).toHaveLength(3);
});

test.each([{ "retry-after-ms": "40" }, { "retry-after": "0.04" }])(
  "MODEL-8: as long as the provider wants is waited: %j",
  async (headers) => {
    scripted.play([{ status: 429, headers }, "Yes."]);
    const waits: number[] = [];
    expect(await ask(scripted.model("anthropic"), { onWait: (_, ms) => waits.push(ms) })).toMatchObject({ ok: true });
    expect(waits).toEqual([expect.toSatisfy((ms: number) => ms >= 40 && ms <= 41)]);
  },
);

test("MODEL-7: as long as it waits it tells so again, with what is left of it", async () => {
  scripted.play([{ status: 429, headers: { "retry-after-ms": "100" } }, "Yes."]);
  const waits: number[] = [];
  const model = scripted.model("anthropic", { timing: { tellMs: 40 } });
  expect(await ask(model, { onWait: (_, ms) => waits.push(ms) })).toMatchObject({ ok: true });
  const [first = 0] = waits;
  expect(waits).toEqual([first, first - 40, first - 80]);
});

test("MODEL-8: who wants more time than anybody waits for is told of at once", async () => {
  scripted.play([{ status: 429, headers: { "retry-after": "3600" } }]);
  expect(await ask(scripted.model("anthropic"))).toMatchObject({ ok: false, why: "busy" });
  expect(scripted.requests).toHaveLength(1);
});

test.each(WIRES)(
  "MODEL-9: %s: of an answer that is cut off, what came is kept, and it isn't asked for again",
  async (wire) => {
    scripted.play([["Half of it", { tool: "read_file", input: { path: "a" }, id: "one" }, { cut: true }]]);
    const answer = await ask(scripted.model(wire));
    expect(answer).toMatchObject({ ok: false, why: "unreachable" });
    expect(answer.parts).toMatchObject([{ text: "Half of it" }, { call: { id: "one", tool: "read_file" } }]);
    expect(scripted.requests).toHaveLength(1);
  },
);

test("MODEL-9: what Anthropic had read by then is counted", async () => {
  scripted.play([["Half", { cut: true }, { usage: { in: 70, cached: 20 } }]]);
  expect(await ask(scripted.model("anthropic"))).toMatchObject({ ok: false, usage: { in: 70, out: null, cached: 20 } });
});

test("MODEL-9: what can be no number of tokens isn't counted by then, either", async () => {
  scripted.play([["Half", { cut: true }, { usage: { in: 70.5 } }]]);
  expect(await ask(scripted.model("anthropic"))).toMatchObject({ ok: false, usage: { in: null, out: null } });
});

test.each(WIRES)(
  "MODEL-9: %s: a frame that can't be read ends the answer as broken, with what came before it",
  async (wire) => {
    scripted.play([["Half of it", { malformed: true }, "and more"]]);
    const answer = await ask(scripted.model(wire));
    expect(answer).toMatchObject({ ok: false, why: "broken", parts: [{ text: "Half of it" }] });
    expect(scripted.requests).toHaveLength(1);
  },
);

test("MODEL-9: what is no stream at all is broken", async () => {
  scripted.play([{ status: 200, body: "<html>Welcome to the router</html>" }]);
  const answer = await ask(scripted.model("openai-compatible"));
  expect(answer).toMatchObject({ ok: false, why: "broken", parts: [] });
});

test.each(WIRES)("MODEL-10: %s: a stop ends it at once, with what came, while it answers", async (wire) => {
  scripted.play([["Let me ", { until: NEVER }]]);
  const stop = new AbortController();
  const answer = await ask(scripted.model(wire), { signal: stop.signal, onText: () => stop.abort() });
  expect(answer).toMatchObject({ ok: false, why: "stopped" });
  expect(answer.parts).toHaveLength(1);
});

test("MODEL-10: a stop ends it before the first byte, and while it waits to try again", async () => {
  scripted.play([() => NEVER]);
  const first = new AbortController();
  const answer = ask(scripted.model("anthropic"), { signal: first.signal });
  await scripted.received(1);
  first.abort();
  expect(await answer).toMatchObject({ ok: false, why: "stopped", parts: [] });

  scripted.play([{ status: 429, headers: { "retry-after": "60" } }]);
  const second = new AbortController();
  const waiting = await ask(scripted.model("anthropic"), { signal: second.signal, onWait: () => second.abort() });
  expect(waiting).toMatchObject({ ok: false, why: "stopped" });
  expect(await ask(scripted.model("anthropic"), { signal: AbortSignal.abort() })).toMatchObject({ why: "stopped" });
  expect(scripted.requests).toHaveLength(2);
});

test.each(WIRES)("MODEL-11: %s: who says nothing is given up, at the beginning and in the middle", async (wire) => {
  scripted.play(["First the client is loaded.", () => NEVER, ["H", { until: NEVER }]]);
  await ask(scripted.model(wire));
  const model = scripted.model(wire, { timing: { firstMs: 500, silenceMs: 400 } });
  expect(await ask(model)).toMatchObject({ ok: false, why: "timeout", parts: [] });
  expect(await ask(model)).toMatchObject({ ok: false, why: "timeout", parts: [{ text: "H" }] });
  expect(scripted.requests).toHaveLength(3);
});

test.each([
  [401, "invalid x-api-key", "key"],
  [403, "not for you", "key"],
  [400, "prompt is too long: 210000 tokens > 200000 maximum", "too-long"],
  [413, "request too large", "too-long"],
  [400, "max_tokens: must be positive", "refused"],
  [404, "model: nope", "refused"],
])("MODEL-12: %i %s is %s, and isn't tried again", async (status, message, why) => {
  for (const wire of WIRES) {
    scripted.play([{ status, message }]);
    expect(await ask(scripted.model(wire))).toMatchObject({ ok: false, why });
  }
  expect(scripted.requests).toHaveLength(3);
});

test("MODEL-12: an account that is used up isn't asked again and again", async () => {
  const body = JSON.stringify({ error: { message: "You exceeded your quota.", code: "insufficient_quota" } });
  scripted.play([{ status: 429, body }]);
  expect(await ask(scripted.model("openai-compatible"))).toMatchObject({ ok: false, why: "refused" });
  expect(scripted.requests).toHaveLength(1);
});

test.each(WIRES)("MODEL-12: %s: where nothing listens it is tried again, and told what to look at", async (wire) => {
  const gone = await scriptedModel();
  await gone.close();
  const waits: string[] = [];
  const answer = await ask(gone.model(wire, { timing: { tries: 2 } }), { onWait: (why) => waits.push(why) });
  const whom = wire === "bedrock" ? "Amazon Bedrock" : new URL(gone.url).host;
  const message = `The connection to ${whom} failed: nothing listens there. Look whether it runs and this machine reaches it.`;
  expect(answer).toMatchObject({ ok: false, why: "unreachable", message });
  expect(waits).toEqual([message]);
});

test("MODEL-12: a port that no request is sent to is told as that, and isn't tried again", async () => {
  const waits: string[] = [];
  const model = connectModel({ kind: "openai-compatible", baseUrl: "http://127.0.0.1:6000/v1" }, "m");
  const answer = await ask(model, { onWait: (why) => waits.push(why) });
  const message =
    "No request is sent to the port of 127.0.0.1:6000: it belongs to another kind of service. Let it listen on another port, and set its address to that.";
  expect([answer, waits]).toMatchObject([{ ok: false, why: "unreachable", message }, []]);
});

test.each(WIRES)("MODEL-6: %s: what a provider says of a key is told without the key", async (wire) => {
  const message = "The key sk-scripted-0123456789-wxyz\n is for another region.";
  scripted.play([{ status: 400, message }]);
  const answer = await ask(scripted.model(wire));
  expect(answer).toMatchObject({ ok: false, message: expect.stringContaining("is for another region") });
  expect(JSON.stringify(answer)).not.toContain("sk-scripted");
});

test.each([
  ["in an address", encodeURIComponent],
  ["in JSON", (key: string) => JSON.stringify({ key })],
  ["in JSON in JSON", (key: string) => JSON.stringify(JSON.stringify({ key }))],
  ["in base64", (key: string) => Buffer.from(key).toString("base64")],
  ["in base64 after a name", (key: string) => Buffer.from(`me:${key}:`).toString("base64")],
  ["in base64 for addresses", (key: string) => Buffer.from(key).toString("base64url")],
])("MODEL-6: a key that a provider says back %s isn't told either", async (_, said) => {
  const key = 'sk-"+/=~~~???-0123456789-abcdefghijklmnop';
  scripted.play([{ status: 400, message: `Refused: ${said(key)}` }]);
  const baseUrl = `${scripted.url}/v1`;
  const answer = await ask(connectModel({ kind: "openai-compatible", key, baseUrl }, "m"));
  expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/Refused: .{0,14}…/) });
  expect(JSON.stringify(answer)).not.toContain(said(key).slice(8, -8));
});

test("MODEL-6: a key that can't be sent is told of without it", async () => {
  const key = "sk-with-a-line\n-break-0123";
  const answer = await ask(connectModel({ kind: "anthropic", key, baseUrl: `${scripted.url}/v1` }, "claude-opus-5"));
  expect(answer).toMatchObject({ ok: false, why: "broken" });
  expect(JSON.stringify(answer)).not.toContain("break-0123");
  expect(scripted.requests).toHaveLength(0);
});

test.each(WIRES)("MODEL-6: %s: a redirect isn't followed with a key", async (wire) => {
  const other = await scriptedModel();
  scripted.play([{ status: 307, headers: { location: `${other.url}/v1/messages` } }]);
  expect(await ask(scripted.model(wire))).toMatchObject({ ok: false, why: "refused" });
  expect(other.requests).toHaveLength(0);
  await other.close();
});

test.each(WIRES)("MODEL-6: %s: nothing in the environment changes where a request goes, nor its key", async (wire) => {
  const elsewhere = "http://127.0.0.1:9/v1";
  for (const name of [
    "ANTHROPIC_BASE_URL",
    "OPENAI_BASE_URL",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
  ]) {
    vi.stubEnv(name, elsewhere);
  }
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, "http://127.0.0.1:9");
  for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "AWS_BEARER_TOKEN_BEDROCK"]) {
    vi.stubEnv(name, "of-the-environment");
  }
  scripted.play(["Yes."]);
  expect(await ask(scripted.model(wire))).toMatchObject({ ok: true });
  expect(JSON.stringify(scripted.requests[0]?.headers)).not.toContain("of-the-environment");
});

test("MODEL-6: Bedrock with AWS keys signs requests, whatever token the environment has", async () => {
  vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "of-the-environment");
  scripted.play(["Yes."]);
  const by = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "the-secret-of-it" };
  const model = connectModel({ kind: "bedrock", region: "eu-central-1", by, baseUrl: scripted.url }, "some.model");
  expect(await ask(model)).toMatchObject({ ok: true });
  expect(scripted.requests[0]?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d+\/eu-central-1\/bedrock/,
  );
  expect(JSON.stringify(scripted.requests[0])).not.toContain("the-secret-of-it");
});

test("MODEL-11: an answer without an end is ended", async () => {
  const flood = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const line = `: ${"x".repeat(1024 * 1024)}\n\n`;
    const pour = (): void => {
      if (!response.destroyed && response.write(line)) setImmediate(pour);
    };
    response.on("drain", pour);
    pour();
  });
  await new Promise<void>((resolve) => flood.listen(0, "127.0.0.1", resolve));
  const address = flood.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const answer = await ask(
    connectModel({ kind: "openai-compatible", baseUrl: `http://127.0.0.1:${port}/v1` }, "flood"),
  );
  flood.closeAllConnections();
  flood.close();
  expect(answer).toMatchObject({ ok: false, why: "broken", message: expect.stringContaining("doesn't end") });
});
