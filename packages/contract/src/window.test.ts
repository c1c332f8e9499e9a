import { expect, test } from "vitest";
import { WindowKey, WindowValue } from "./window.ts";

const VALUE = {
  app: "editor",
  args: { key: "workspace/a.md" },
  box: { x: -20, y: 10, w: 640, h: 480 },
  hangs: true,
  state: "minimised",
  title: "a.md",
  was: "left",
  z: 3,
};

test("a window says what it shows, where it stands, and what it was before it was minimised", () => {
  expect(WindowValue.parse(VALUE)).toEqual(VALUE);
  const { was: _, hangs: __, ...plain } = { ...VALUE, state: "normal" };
  expect(WindowValue.parse(plain)).toEqual(plain);
});

test.each([
  { ...VALUE, app: "../files" },
  { ...VALUE, box: { ...VALUE.box, x: 0.5 } },
  { ...VALUE, box: { ...VALUE.box, w: 0 } },
  { ...VALUE, was: "minimised" },
  { ...VALUE, z: -1 },
  { ...VALUE, colour: "red" },
])("what is no window is refused", (value) => {
  expect(WindowValue.safeParse(value).success).toBe(false);
});

test("a window's key is 'window.' and an id", () => {
  expect(WindowKey.safeParse("window.01k2m0v7c4x8").success).toBe(true);
  for (const key of ["window.", "window.a b", "theme", `window.${"a".repeat(65)}`])
    expect(WindowKey.safeParse(key).success).toBe(false);
});
