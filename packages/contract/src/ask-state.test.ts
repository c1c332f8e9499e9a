import { describe, expect, test } from "vitest";
import { type AskValue, isOver } from "./ask-state.ts";
import { type Envelope, recognise } from "./envelope.ts";
import { evolve, INITIAL_STATE, type StateMaps } from "./state.ts";

type Said = Pick<Envelope, "type" | "payload"> & Partial<Pick<Envelope, "source" | "cause" | "id">>;

/** The ask `a` of the conversation `c` after these events. */
function after(...said: readonly Said[]): AskValue {
  return stateAfter(...said).ask.get("a") as AskValue;
}

function stateAfter(...said: readonly Said[]): StateMaps {
  return [asks("a", "Mend it"), ...said].reduce((now, { type, payload, source = "agent", cause, id }, i) => {
    const [seq, ts, hash] = [i + 1, new Date((i + 1) * 1000).toISOString(), "0".repeat(64)];
    const around = { v: 1, id: id ?? `e${seq}`, seq, ts, user_id: "ada", source, cause: cause ?? { ask: "a" }, hash };
    const known = recognise({ ...around, type, payload });
    if (!known.ok) throw new Error(known.why);
    return evolve(now, known.value);
  }, INITIAL_STATE);
}

const REF = { hash: "0a".repeat(32), size: 3 };
const started: Said = { type: "ask.started", payload: { attempt: 1 } };
const asks = (id: string, text: string): Said => ({
  type: "message",
  id,
  source: "user",
  cause: { ask: id, conversation: "c" },
  payload: { text },
});
const paid = (cost_usd: number | null, response: typeof REF | null = REF): Said => {
  const [model, provider, role, status] = ["m", "p", "director", "ok"];
  const tokens = { tokens_in: 10, tokens_out: 2 };
  return {
    type: "model.call",
    payload: { cost_usd, duration_ms: 1, model, provider, request: REF, response, role, status, ...tokens },
  };
};

describe("an ask", () => {
  test("begins queued, with what was said, and goes through what is told of it", () => {
    expect(after()).toMatchObject({ conversation: "c", seq: 1, status: "queued", title: "Mend it" });
    expect(after(started)).toMatchObject({ attempt: 1, status: "running" });
    const paused: Said = { type: "ask.paused", payload: { detail: "no more steps", why: "limit" } };
    expect(after(started, paused)).toMatchObject({ detail: "no more steps", status: "limit" });
    expect(after(started, paused, { type: "ask.resumed", payload: {} })).toMatchObject({
      detail: null,
      status: "queued",
    });
    const answered: Said = { type: "ask.answered", payload: { answer: REF, look: ["x"], status: "done" } };
    expect(after(started, answered)).toMatchObject({ answer: REF, look: ["x"], status: "done" });
    expect(after(started, paused, { type: "ask.left", payload: {} }).status).toBe("left");
  });

  test("that asked something waits until it is told something", () => {
    const wondered: Said = { type: "ask.wondered", payload: { choices: ["red"], question: "Which?" } };
    expect(after(started, wondered)).toMatchObject({
      question: { choices: ["red"], text: "Which?" },
      status: "wondering",
    });
    const told: Said = { type: "ask.steered", cause: { ask: "b" }, payload: { into: "a" } };
    expect(after(started, wondered, asks("b", "red"), told)).toMatchObject({ question: null, status: "running" });
  });

  test("waits while an approval does", () => {
    const asked: Said = { type: "approval.asked", payload: { approval: "p", covers: "network example.org" } };
    const given: Said = { type: "approval.given", source: "user", payload: { approval: "p", decision: "once" } };
    expect(after(started, asked).status).toBe("approval");
    expect(after(started, asked, given).status).toBe("running");
  });

  test("adds up what was paid, and says where a price is not known", () => {
    expect(after(started, paid(0.5), paid(0.25))).toMatchObject({
      cost_unknown: false,
      cost_usd: 0.75,
      tokens_in: 20,
      tokens_out: 4,
    });
    expect(after(started, paid(null)).cost_unknown).toBe(true);
  });

  test("may cost what nobody knows where a call that brought nothing was counted or interrupted, and else costs nothing", () => {
    const brought = (status: string, tokens: { tokens_in?: number; tokens_out?: number } = {}) => {
      const payload = { ...paid(null, null).payload, tokens_in: null, tokens_out: null, status, ...tokens };
      return after(started, { type: "model.call", payload });
    };
    expect(brought("failed")).toMatchObject({ cost_unknown: false, cost_usd: 0 });
    expect(brought("interrupted").cost_unknown).toBe(true);
    expect(brought("failed", { tokens_in: 100 })).toMatchObject({ cost_unknown: true, tokens_in: 100 });
    expect(brought("stopped", { tokens_out: 1 })).toMatchObject({ cost_unknown: true, tokens_out: 1 });
  });

  test("stands among those that are pending until it is over", () => {
    const answered: Said = { type: "ask.answered", payload: { answer: REF, look: [], status: "done" } };
    expect(stateAfter().pending.get("a")).toEqual({ begun: 0, status: "queued" });
    expect(stateAfter(started, paid(1)).pending.get("a")).toEqual({ begun: 2, status: "running" });
    expect([...stateAfter(started, answered).pending]).toEqual([]);
  });

  test("is over once it is answered, left, or was no ask of its own", () => {
    expect((["done", "given-up", "left", "steered"] as const).map(isOver)).toEqual([true, true, true, true]);
    expect((["queued", "running", "wondering", "limit"] as const).map(isOver)).toEqual([false, false, false, false]);
  });
});
