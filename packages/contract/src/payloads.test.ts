import { describe, expect, test } from "vitest";
import type { Entry } from "./change.ts";
import type { ContentRef } from "./content.ts";
import { parseDraft } from "./envelope.ts";
import type { Json } from "./json.ts";
import { type EventType, isEventType, PAYLOADS, type Payload } from "./payloads.ts";
import type { AssociateResult, DirectorTask } from "./task.ts";

const HASH = "0a".repeat(32);
const REF: ContentRef = { hash: HASH, size: 12 };
const FILE: Entry = { ...REF, kind: "file", mode: 0o644 };
const LINK: Entry = { ...REF, kind: "link", mode: 0o777 };
const DIR: Entry = { kind: "dir", mode: 0o755 };
const LIST = { count: 101, list: REF };
const ODD_PATH = { b64: "/w==" };
const WINDOW = { changes: [{ key: "window.1", before: null, after: { app: "notes", at: [0, 10.5] } }] };
const SETTING = { changes: [{ key: "theme", before: null, after: { accent: "gold", at: [0, 10.5] } }] };
const KEPT = { path: "workspace/b", seq: 1 };
const wrote = { changes: [{ path: "a", before: FILE, after: LINK }] };
const TASK: DirectorTask = {
  acceptance_criteria: [],
  allowed_tools: [],
  egress: "none",
  instruction: "",
  kind: "edit",
  paths: [],
  task_id: "t-1",
  time_budget_s: 300,
  verify: [],
};
const RESULT: AssociateResult = {
  citations: [],
  commands_run: [],
  files_changed: [],
  questions: [],
  status: "ok",
  summary: REF,
  verify: [],
};
const ASKED: Payload<"model.asked"> = { model: "m", provider: "p", request: REF, role: "director" };
const CALL: Payload<"model.call"> = {
  cost_usd: null,
  duration_ms: 0,
  model: "m",
  provider: "p",
  request: REF,
  response: null,
  role: "director",
  status: "ok",
  tokens_in: null,
  tokens_out: null,
};

/** `least` has nothing that could be left out. */
const EXAMPLES: { readonly [Type in EventType]: { least: Payload<Type>[]; more: Payload<Type>[] } } = {
  "log.created": {
    least: [{ log_id: "4f1c" }],
    more: [{ log_id: "4f1c", origin: { hash: HASH, log_id: "9a2e", seq: 7 } }],
  },
  message: {
    least: [{ text: "hello" }, { content: REF }],
    more: [
      { paths: ["a", ODD_PATH], text: "é".repeat(32_768) },
      { paths: [], content: REF },
    ],
  },
  "ask.started": { least: [{ attempt: 1 }], more: [] },
  "ask.steered": { least: [{ into: "a-1" }], more: [] },
  "ask.wondered": { least: [{ question: "Which?" }], more: [{ choices: ["this", "that"], question: "Which?" }] },
  "ask.paused": {
    least: (["stopped", "limit", "interrupted", "failed"] as const).map((why) => ({ detail: "", why })),
    more: [],
  },
  "ask.resumed": { least: [{}], more: [] },
  "ask.left": { least: [{}], more: [] },
  "ask.answered": {
    least: [
      { answer: REF, look: [], status: "done" },
      { answer: REF, look: ["a", ODD_PATH], status: "given-up" },
    ],
    more: [],
  },
  "task.planned": {
    least: [TASK],
    more: [
      { ...TASK, cost_budget: 0.5, token_budget: 1, egress: "git+pkg", acceptance_criteria: ["it works"] },
      {
        ...TASK,
        egress: ["example.org", "localhost"],
        allowed_tools: ["bash"],
        paths: ["src", ODD_PATH],
        verify: ["x"],
      },
    ],
  },
  "task.approved": {
    least: [{ scope: "policy" }, { scope: "once" }, { scope: "task" }, { scope: "always" }],
    more: [],
  },
  "task.denied": { least: [{}], more: [{ reason: "too dear" }] },
  "task.started": { least: [{ attempt: 1 }], more: [] },
  "task.finished": {
    least: [RESULT],
    more: [
      { ...RESULT, status: "failed", verify: [{ command: "npm test", exit: 1 }], files_changed: ["a", ODD_PATH] },
      {
        ...RESULT,
        citations: [
          { hash: HASH, source: "a" },
          { hash: HASH, source: { url: "https://a.example/" }, span: [0, 9] },
        ],
      },
    ],
  },
  "approval.asked": {
    least: [{ approval: "p", covers: "git push" }],
    more: [{ approval: "p", covers: "x", whole: { hash: HASH, size: 9 }, why: "" }],
  },
  "approval.given": {
    least: [
      { approval: "p", decision: "denied" },
      { approval: "p", decision: "task" },
    ],
    more: [],
  },
  "model.asked": { least: [ASKED], more: [{ ...ASKED, role: "associate" }] },
  "model.call": {
    least: [CALL, { ...CALL, status: "interrupted" }],
    more: [
      { ...CALL, cost_usd: 0.001, response: REF, tokens_in: 0, tokens_out: 9, role: "associate", status: "stopped" },
    ],
  },
  "tool.call": { least: [{ input: REF, tool: "bash" }], more: [] },
  "tool.result": { least: [{ status: "ok" }], more: [{ exit: -1, output: REF, reason: "", status: "interrupted" }] },
  "file.write": { least: [wrote, LIST], more: [{ changes: [{ path: ODD_PATH, before: null, after: FILE }] }] },
  "file.delete": { least: [{ changes: [{ path: "a", before: FILE, after: null }] }, LIST], more: [] },
  "file.move": {
    least: [
      { ...wrote, from: "a", to: "b" },
      { ...LIST, from: ODD_PATH, to: "b" },
    ],
    more: [],
  },
  "dir.create": { least: [{ changes: [{ path: "a", before: null, after: DIR }] }, LIST], more: [] },
  "dir.delete": { least: [{ changes: [{ path: "a", before: DIR, after: null }] }, LIST], more: [] },
  "dir.move": {
    least: [
      { ...wrote, from: "a", to: "b" },
      { ...LIST, from: "a", to: "b" },
    ],
    more: [],
  },
  "files.changed": {
    least: [
      { ...wrote, by: "command" },
      { ...LIST, by: "outside" },
    ],
    more: [],
  },
  "window.open": { least: [WINDOW], more: [] },
  "window.close": { least: [WINDOW], more: [] },
  "window.change": { least: [WINDOW], more: [] },
  "window.focus": { least: [WINDOW], more: [] },
  "settings.change": { least: [SETTING], more: [{ changes: [{ key: "k".repeat(200), before: [], after: "x" }] }] },
  "checkpoint.created": {
    least: [{ at: 1, commit: "0f".repeat(20), message: "", why: "asked" }],
    more: [{ at: 1, commit: HASH, message: "m", why: "deploy" }],
  },
  undo: {
    least: [
      { ...wrote, target: { seq: 1 } },
      { ...WINDOW, target: { call: "k" } },
      { ...LIST, target: { since: 0 } },
    ],
    more: [
      { changes: [...wrote.changes, ...WINDOW.changes, ...SETTING.changes], target: { task: "t" } },
      { ...wrote, target: { ask: "a" } },
      { ...wrote, kept: [KEPT, { ...KEPT, cause: { ask: "a" }, dir: true }], target: { ask: "a" } },
      { ...LIST, kept: { count: 200, list: REF }, target: { ask: "a" } },
    ],
  },
  "deploy.request": { least: [{ checkpoint: 1, deploy: "d" }], more: [] },
  "deploy.result": { least: [{ deploy: "d", status: "ok" }], more: [{ deploy: "d", output: REF, status: "failed" }] },
  "note.observed": { least: [{ content: REF }], more: [{ content: REF, title: "t" }] },
  "note.supposed": { least: [{ content: REF }], more: [{ content: REF, title: "" }] },
  "note.asked": { least: [{ content: REF }], more: [{ content: REF, title: "t".repeat(200) }] },
  "receipt.check": { least: [{ command: "x", exit: 0 }], more: [{ command: "", exit: 137, output: REF, reason: "x" }] },
  "receipt.net": { least: [{ allowed: false, bytes_in: 0, bytes_out: 0, host: "a.example", port: 443 }], more: [] },
};

/** Beyond what the kinds of values say: the field that is to blame, and the payload. */
const REFUSED: { readonly [Type in EventType]?: readonly (readonly [field: string, payload: unknown])[] } = {
  "log.created": [
    ["log_id", { log_id: "" }],
    ["origin.seq", { log_id: "a", origin: { hash: HASH, log_id: "b", seq: 0 } }],
    ["origin.hash", { log_id: "a", origin: { hash: HASH.toUpperCase(), log_id: "b", seq: 1 } }],
  ],
  message: [
    ["text", { text: "" }],
    ["text", { text: "a".repeat(32_769) }],
    ["content", { text: "hello", content: REF }],
    ["paths.1", { text: "hello", paths: ["a", "../b"] }],
    ["paths", { text: "hello", paths: Array(101).fill("a") }],
    ["content.size", { content: { hash: HASH, size: -1 } }],
  ],
  "task.planned": [
    ["egress", { ...TASK, egress: "all" }],
    ["egress", { ...TASK, egress: [] }],
    ["egress.0", { ...TASK, egress: ["a b"] }],
    ["egress.0", { ...TASK, egress: ["https://example.org"] }],
    ["kind", { ...TASK, kind: "delete" }],
    ["paths.0", { ...TASK, paths: ["/etc"] }],
    ["time_budget_s", { ...TASK, time_budget_s: 0 }],
    ["token_budget", { ...TASK, token_budget: 1.5 }],
    ["cost_budget", { ...TASK, cost_budget: -0.01 }],
  ],
  "task.approved": [["scope", { scope: "day" }]],
  "task.denied": [["reason", { reason: "x".repeat(4097) }]],
  "task.started": [
    ["attempt", { attempt: 0 }],
    ["attempt", { attempt: 1.5 }],
  ],
  "task.finished": [
    ["status", { ...RESULT, status: "done" }],
    ["verify.0.exit", { ...RESULT, verify: [{ command: "x", exit: 0.5 }] }],
    ["citations.0.source.url", { ...RESULT, citations: [{ hash: HASH, source: { url: "no address" } }] }],
    ["citations.0.source.url", { ...RESULT, citations: [{ hash: HASH, source: { url: "javascript:alert(1)" } }] }],
    ["citations.0.source.url", { ...RESULT, citations: [{ hash: HASH, source: { url: "data:text/html,x" } }] }],
    ["citations.0.span", { ...RESULT, citations: [{ hash: HASH, source: "a", span: [1] }] }],
  ],
  "approval.asked": [["covers", { approval: "p", covers: "" }]],
  "approval.given": [["decision", { approval: "p", decision: "yes" }]],
  "model.asked": [
    ["model", { ...ASKED, model: "" }],
    ["request", { ...ASKED, request: null }],
  ],
  "model.call": [
    ["cost_usd", { ...CALL, cost_usd: -1 }],
    ["cost_usd", { ...CALL, cost_usd: Number.POSITIVE_INFINITY }],
    ["tokens_in", { ...CALL, tokens_in: 2 ** 53 }],
    ["model", { ...CALL, model: "" }],
    ["request", { ...CALL, request: null }],
  ],
  "tool.call": [["tool", { input: REF, tool: "t".repeat(65) }]],
  "tool.result": [["status", { status: "undone" }]],
  "file.move": [["to", { ...wrote, from: "a", to: "b/" }]],
  "files.changed": [["by", { ...wrote, by: "agent" }]],
  "window.open": [["changes.0.key must begin with 'window.'", SETTING]],
  "window.close": [["changes.0.key must begin with 'window.'", SETTING]],
  "window.change": [["changes.0.key must begin with 'window.'", SETTING]],
  "window.focus": [["changes.0.key must begin with 'window.'", SETTING]],
  "settings.change": [["changes.0.key must not begin with 'window.'", WINDOW]],
  "checkpoint.created": [
    ["commit", { at: 1, commit: "0f".repeat(19), message: "", why: "asked" }],
    ["commit", { at: 1, commit: "0f".repeat(25), message: "", why: "asked" }],
    ["commit", { at: 1, commit: "0F".repeat(20), message: "", why: "asked" }],
    ["at", { at: 0, commit: "0f".repeat(20), message: "", why: "asked" }],
  ],
  undo: [
    ["target", { ...wrote, target: {} }],
    ["target", { ...wrote, target: { seq: 1, call: "k" } }],
    ["target.since", { ...wrote, target: { since: -1 } }],
    ["target.seq", { ...wrote, target: { seq: 0 } }],
    ["kept", { ...wrote, kept: [], target: { ask: "a" } }],
    ["kept", { ...wrote, kept: Array(101).fill(KEPT), target: { ask: "a" } }],
  ],
  "deploy.request": [["checkpoint", { checkpoint: 0, deploy: "d" }]],
  "note.asked": [["title", { content: REF, title: "t".repeat(201) }]],
  "receipt.net": [
    ["port", { allowed: true, bytes_in: 0, bytes_out: 0, host: "a", port: 65_536 }],
    ["host", { allowed: true, bytes_in: 0, bytes_out: 0, host: "", port: 1 }],
  ],
};

const why = (type: string, payload: unknown) => {
  const parsed = parseDraft({ source: "user", type, payload });
  return parsed.ok ? undefined : parsed.why;
};

const TYPES = Object.keys(PAYLOADS).filter(isEventType);

describe.each(TYPES)("%s", (type) => {
  const { least, more } = EXAMPLES[type];

  test("takes what it is made for, unchanged", () => {
    for (const payload of [...least, ...more]) {
      expect(parseDraft({ source: "user", type, payload })).toEqual({
        ok: true,
        value: { source: "user", type, payload },
      });
    }
  });

  test("takes nothing it doesn't know, at any depth", () => {
    for (const payload of [...least, ...more]) {
      for (const changed of variants(payload, withUnknownKey)) expect(why(type, changed)).toMatch(/surprise|__proto__/);
    }
  });

  test("misses what is missing, at any depth", () => {
    for (const payload of least) {
      for (const changed of variants(payload, withoutEachKey)) expect(why(type, changed)).toBeDefined();
    }
  });

  test("takes no value of another kind, at any depth", () => {
    for (const payload of [...least, ...more]) {
      for (const changed of variants(payload, ofAnotherKind)) expect(why(type, changed), show(changed)).toBeDefined();
    }
    for (const payload of [undefined, null, [], "x", 1, true]) expect(why(type, payload)).toContain("payload");
  });

  test("says which field is to blame", () => {
    for (const [field, payload] of REFUSED[type] ?? []) {
      expect(why(type, payload), show(payload)).toMatch(
        new RegExp(`^payload of '${type}': .*${field.replaceAll(".", "\\.")}`),
      );
    }
  });
});

test("a name that every object has is no type of event", () => {
  for (const type of ["constructor", "toString", "__proto__", "hasOwnProperty"]) expect(isEventType(type)).toBe(false);
});

const show = (value: unknown) => JSON.stringify(value)?.slice(0, 200);

type Change = (value: Json) => Json[];

/** Every way to make the change at one place of a value. What stands in a window or a setting is anything: it is left alone. */
function variants(value: Json, change: Change): Json[] {
  const here = change(value);
  if (Array.isArray(value)) {
    return [...here, ...value.flatMap((item, i) => variants(item, change).map((other) => value.with(i, other)))];
  }
  if (value === null || typeof value !== "object") return here;
  const below = Object.entries(value)
    .filter(([key]) => !("key" in value) || key === "key")
    .flatMap(([key, member]) => variants(member, change).map((other) => ({ ...value, [key]: other })));
  return [...here, ...below];
}

function withUnknownKey(value: Json): Json[] {
  if (!isObject(value)) return [];
  return ["surprise", "__proto__"].map((key) =>
    Object.defineProperty({ ...value }, key, { configurable: true, enumerable: true, value: 1, writable: true }),
  );
}

function withoutEachKey(value: Json): Json[] {
  if (!isObject(value)) return [];
  return Object.keys(value).map((left) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== left)));
}

/** No field takes a boolean and something else, none a number or nothing and a text, and none an object of unknown keys. */
function ofAnotherKind(value: Json): Json[] {
  if (typeof value === "boolean") return [0, null, "true"];
  return [true, { surprise: 1 }, typeof value === "number" || value === null ? "of another kind" : 5];
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
