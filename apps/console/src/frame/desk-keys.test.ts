import { expect, test } from "vitest";
import { deskKeyOf } from "./desk-keys.ts";

const NONE = { altKey: false, code: "", ctrlKey: false, key: "", metaKey: false, shiftKey: false };

/** As a browser tells of it; `on` is what has the focus. */
function pressed(keys: Partial<typeof NONE>, on?: string): KeyboardEvent {
  class Field {
    matches(these: string): boolean {
      return on !== undefined && these.split(", ").includes(on);
    }
  }
  Object.assign(globalThis, { HTMLElement: Field });
  const event = { ...NONE, ...keys, defaultPrevented: false, isComposing: false, getModifierState: () => false };
  return { ...event, target: new Field() } as unknown as KeyboardEvent; // as far as it is read
}

test.each<Partial<typeof NONE>>([
  { key: "?", shiftKey: true },
  { key: "k", ctrlKey: true },
  { key: "K", metaKey: true },
  { key: "/", ctrlKey: true },
  { key: "`", code: "Backquote", ctrlKey: true },
  { key: "F6" },
  { key: "ArrowLeft", altKey: true, ctrlKey: true },
  { key: "d", code: "KeyD", altKey: true, ctrlKey: true },
])("CONSOLE-38: %j means the desktop", (keys) => {
  expect(deskKeyOf(pressed(keys, "button"))).toEqual({ ...NONE, ...keys });
  expect(deskKeyOf(pressed(keys, "input"))).toBeUndefined();
});

test.each<Partial<typeof NONE>>([
  { key: "Tab" },
  { key: "Escape" },
  { key: "Enter" },
  { key: "a" },
  { key: "c", ctrlKey: true },
  { key: "ArrowLeft", altKey: true },
  { key: "ArrowLeft" },
])("CONSOLE-38: %j stays in the console", (keys) => {
  expect(deskKeyOf(pressed(keys))).toBeUndefined();
});
