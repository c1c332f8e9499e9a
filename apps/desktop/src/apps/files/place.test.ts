import { expect, test } from "vitest";
import { placeOf } from "./place.ts";

test("DESK-16: a search for nothing is none: its window has the folder's name at once, by one event", () => {
  expect(placeOf({ key: "workspace", find: "" }).find).toBeUndefined();
  expect(placeOf({ key: "workspace", find: "a" }).find).toBe("a");
});
