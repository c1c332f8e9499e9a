import type { Signal } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import type { Signals } from "./signals.ts";

/** An engine for signals: how to make one computer's, and how to know that all that was sent has arrived. */
export interface SignalsEngine {
  readonly name: string;
  make(onError: (error: unknown) => void): Promise<Signals>;
  arrived(): Promise<void>;
}

/** The SIG rules of SPEC.md, for every engine. */
export function signalsSuite(engine: SignalsEngine): void {
  describe(engine.name, () => {
    reaching(engine);
    throwing(engine);
  });
}

function progress(step: number): Signal {
  return { type: "task.progress", payload: { step } };
}

function recorder() {
  const steps: unknown[] = [];
  return { steps, listener: (signal: Signal) => void steps.push(signal.payload.step) };
}

function unexpected(error: unknown): never {
  throw error;
}

function reaching(engine: SignalsEngine): void {
  test("SIG-1: a signal reaches everyone who listens, as it was sent and in the order of sending", async () => {
    const signals = await engine.make(unexpected);
    const [a, b] = [recorder(), recorder()];
    const whole: Signal[] = [];
    for (const listener of [a.listener, b.listener, (signal: Signal) => whole.push(signal)]) signals.listen(listener);
    const sent: Signal[] = [1, 2, 3].map((step) => ({ ...progress(step), cause: { task: "t1" } }));
    for (const signal of sent) signals.send(signal);
    await engine.arrived();
    expect([a.steps, b.steps]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(whole).toEqual(sent);
  });

  test("SIG-1: a signal reaches nobody who came later or left", async () => {
    const signals = await engine.make(unexpected);
    const [early, late] = [recorder(), recorder()];
    const leave = signals.listen(early.listener);
    signals.send(progress(1));
    await engine.arrived();
    signals.listen(late.listener);
    signals.send(progress(2));
    await engine.arrived();
    leave();
    leave(); // twice is no harm
    signals.send(progress(3));
    await engine.arrived();
    expect([early.steps, late.steps]).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  test("SIG-1: one function that listens twice hears twice, and leaves once at a time", async () => {
    const signals = await engine.make(unexpected);
    const { steps, listener } = recorder();
    const leave = signals.listen(listener);
    signals.listen(listener);
    signals.send(progress(1));
    await engine.arrived();
    leave();
    signals.send(progress(2));
    await engine.arrived();
    expect(steps).toEqual([1, 1, 2]);
  });

  test("SIG-1: a listener that leaves, or brings another, while it hears a signal disturbs nobody", async () => {
    const signals = await engine.make(unexpected);
    const [a, b, guest] = [recorder(), recorder(), recorder()];
    const leave = signals.listen((signal) => {
      a.listener(signal);
      leave();
      signals.listen(guest.listener);
    });
    signals.listen(b.listener);
    signals.send(progress(1));
    await engine.arrived();
    signals.send(progress(2));
    await engine.arrived();
    expect([a.steps, b.steps, guest.steps]).toEqual([[1], [1, 2], [2]]);
  });

  test("SIG-1: a listener that is told to leave by another hears no more", async () => {
    const signals = await engine.make(unexpected);
    const { steps, listener } = recorder();
    const leaves: (() => void)[] = [];
    signals.listen(() => leaves.forEach((leave) => void leave()));
    leaves.push(signals.listen(listener));
    signals.send(progress(1));
    await engine.arrived();
    signals.send(progress(2));
    await engine.arrived();
    expect(steps).toEqual([]);
  });

  test("SIG-1: signals sent from inside a listener reach everyone in the order of sending", async () => {
    const signals = await engine.make(unexpected);
    const [a, b] = [recorder(), recorder()];
    signals.listen((signal) => {
      a.listener(signal);
      if (signal.payload.step === 1) signals.send(progress(2));
    });
    signals.listen(b.listener);
    signals.send(progress(1));
    await engine.arrived();
    expect([a.steps, b.steps]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  test("SIG-1: what is no signal is refused, and reaches nobody", async () => {
    const signals = await engine.make(unexpected);
    const { steps, listener } = recorder();
    signals.listen(listener);
    expect(() => signals.send({ type: "Not A Type", payload: {} })).toThrow();
    await engine.arrived();
    expect(steps).toEqual([]);
  });
}

function throwing(engine: SignalsEngine): void {
  test("SIG-2: a listener that throws disturbs neither the sender nor the others; its error is reported", async () => {
    const errors: unknown[] = [];
    const signals = await engine.make((error) => errors.push(error));
    const [before, after] = [recorder(), recorder()];
    const broken = new Error("broken listener");
    signals.listen(before.listener);
    signals.listen(() => {
      throw broken;
    });
    signals.listen(after.listener);
    for (const step of [1, 2]) signals.send(progress(step));
    await engine.arrived();
    expect([before.steps, after.steps]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(errors).toEqual([broken, broken]);
  });

  test("SIG-2: a listener whose promise is rejected disturbs nobody either, and is reported", async () => {
    const errors: unknown[] = [];
    const signals = await engine.make((error) => errors.push(error));
    const { steps, listener } = recorder();
    const broken = new Error("broken later");
    // An async function passes as a listener: TypeScript lets a promise stand for void.
    signals.listen(async () => {
      throw broken;
    });
    signals.listen(listener);
    signals.send(progress(1));
    await engine.arrived();
    expect(steps).toEqual([1]);
    expect(errors).toEqual([broken]);
  });
}
