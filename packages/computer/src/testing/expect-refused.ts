import { expect } from "vitest";
import type { Desk } from "./computer-stage.ts";

/** Refused with a word about it, and nothing is different. */
export async function expectRefused(desk: Desk, asked: () => Promise<unknown>, expected: object): Promise<void> {
  const [head, disk] = [await desk.head(), desk.disk()];
  expect(await asked()).toMatchObject({ ok: false, ...expected });
  expect(await desk.head()).toBe(head);
  expect(desk.disk()).toEqual(disk);
}
