import { type Envelope, newId } from "@choiros/contract";
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

test("UNDO-14: what left the computer is named by its type and where it went", async () => {
  const deploy = newId();
  const content = { hash: "0".repeat(64), size: 1 };
  const call = { cost_usd: 1, duration_ms: 1, model: "m", provider: "anthropic", request: content, response: null };
  const events = [
    net("example.com", 10),
    net("example.com", 20),
    net("refused.example", 0, false),
    event("deploy.request", { checkpoint: 1, deploy }),
    event("deploy.result", { deploy, status: "ok" }),
    event("deploy.result", { deploy: newId(), status: "failed" }),
    event("model.call", { ...call, role: "associate", status: "ok", tokens_in: 1, tokens_out: 1 }),
    event("checkpoint.created", { at: 1, commit: "c".repeat(40), message: "", why: "asked" }),
  ];
  expect(await lasting(events)).toEqual([
    "receipt.net: a connection to example.com:443 (2 times, 30 bytes sent)",
    `deploy.request: deploy ${deploy} was asked for`,
    `deploy.result: deploy ${deploy} went out`,
    "model.call: what anthropic was sent and is paid for",
    "checkpoint.created: commit cccccccccccc stays, here and where it was pushed",
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
