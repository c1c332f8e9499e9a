import { expect, test } from "vitest";
import { pictureOf } from "./picture-of.ts";

const THERE = { "../images/desk.png": "/d.png", "../images/desk-light.png": "/l.png", "../images/bar.png": "/b.png" };

test("HELP-1: of a picture that there is in both themes, the one of the theme one looks at is shown", () => {
  expect(pictureOf(THERE, "images/desk.png", "dark")).toBe("/d.png");
  expect(pictureOf(THERE, "images/desk.png", "light")).toBe("/l.png");
  expect(pictureOf(THERE, "images/desk-light.png", "dark")).toBe("/l.png");
  expect(pictureOf(THERE, "images/bar.png", "light")).toBe("/b.png");
  expect(pictureOf(THERE, "images/none.png", "light")).toBeUndefined();
});
