import { expect, test } from "vitest";
import { openerOf } from "./opener.ts";

const APPS = [
  { id: "editor", opens: ["text/*", "application/json"] },
  { id: "files", opens: ["folder"] },
  { id: "pictures", opens: ["image/*"] },
  { id: "drawing", opens: ["*.svg"] },
  { id: "bytes", opens: ["*"] },
];
const of = (name: string, kind: "file" | "folder" = "file") => openerOf(APPS, name, kind)?.id;

test("DESK-30: the app whose word for a file is the most exact opens it", () => {
  expect(of("a.md")).toBe("editor");
  expect(of("a.json")).toBe("editor");
  expect(of("a.PNG")).toBe("pictures");
  expect(of("a.svg")).toBe("drawing");
  expect(of("a.zip")).toBe("bytes");
});

test("DESK-30: a name that says nothing is taken for text, and a folder is opened by whoever opens folders", () => {
  expect(of("Makefile")).toBe("editor");
  expect(of(".profile")).toBe("editor");
  expect(of("photos.png", "folder")).toBe("files");
  expect(openerOf([], "a.md", "file")).toBeUndefined();
});
