import { DEMO_PROVIDER, type Envelope, newId } from "@choiros/contract";
import { expect, test } from "vitest";
import { lasting } from "./lasting.ts";

const event = (type: string, payload: Envelope["payload"]): Envelope => ({
  hash: "0".repeat(64),
  id: newId(),
  payload,
  seq: 2,
  source: "agent",
  ts: "2026-01-01T00:00:00.000Z",
  type,
  user_id: "ada",
  v: 1,
});
const net = (host: string, bytes_out: number, allowed = true) =>
  event("receipt.net", { allowed, bytes_in: 5, bytes_out, host, port: 443 });

const modelCall = (provider: string) =>
  event("model.call", {
    ...{ cost_usd: 1, duration_ms: 1, model: "m", provider, response: null, role: "associate", status: "ok" },
    ...{ request: { hash: "0".repeat(64), size: 1 }, tokens_in: 1, tokens_out: 1 },
  });

test("UNDO-14: what left the computer is named in words, with where it went", async () => {
  const deploy = newId();
  const events = [
    net("example.com", 10),
    net("example.com", 20),
    net("refused.example", 0, false),
    event("deploy.request", { checkpoint: 1, deploy }),
    event("deploy.result", { deploy, status: "ok" }),
    event("deploy.result", { deploy: newId(), status: "failed" }),
    modelCall("anthropic"),
    modelCall("openai-compatible"),
    event("checkpoint.created", { at: 1, commit: "c".repeat(40), message: "", why: "asked" }),
  ];
  expect(await lasting(events)).toEqual([
    "a connection to example.com:443 (2 times, 30 bytes sent)",
    `deploy ${deploy} was asked for`,
    `deploy ${deploy} went out`,
    "2 calls of a model: what was sent is sent, and what it cost is paid",
    "commit cccccccccccc stays, here and where it was pushed",
  ]);
});

test("UNDO-14: an event that a newer version wrote is named, for nobody here knows what it did", async () => {
  expect(await lasting([event("mail.sent", {}), event("mail.sent", {}), event("receipt.net", { sent: true })])).toEqual(
    [
      "mail.sent: this version doesn't know what that did (2 times)",
      "receipt.net: this version can't read what that did",
    ],
  );
});

test("UNDO-14: what an undo does take back isn't named, and a long list ends", async () => {
  expect(await lasting([event("message", { text: "hi" }), event("window.open", { changes: [] })])).toHaveLength(1);
  const many = Array.from({ length: 60 }, (_, i) => net(`h${i}.example`, 0));
  expect((await lasting(many)).at(-1)).toBe("and 10 more");
});

test("UNDO-14: the demo's calls went nowhere and cost nothing, and aren't named", async () => {
  expect(await lasting([modelCall(DEMO_PROVIDER)])).toEqual([]);
  expect(await lasting([modelCall(DEMO_PROVIDER), modelCall("bedrock")])).toEqual([
    "1 call of a model: what was sent is sent, and what it cost is paid",
  ]);
});
