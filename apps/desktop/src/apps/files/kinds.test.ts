import type { Entry } from "@choiros/contract";
import { expect, test } from "vitest";
import { kindWord } from "./kinds.ts";

test("FILES-3: the kind of a file is told by its name; what nobody reads isn't called text", () => {
  const entry: Entry = { hash: "0".repeat(64), kind: "file", mode: 0o644, size: 1 };
  const kind = (name: string) => kindWord({ key: `workspace/${name}`, entry });
  expect(["blob.bin", "app.WASM", "notes.txt", "a.md", "x.zip"].map(kind)).toEqual([
    ...["Binary", "Binary", "Text", "Markdown", "Archive"],
  ]);
  expect(new Set(["a.py", "a.SH", "a.go", "a.c", "a.yaml", "a.toml", "a.xml", "a.jsx"].map(kind))).toEqual(
    new Set(["Code"]),
  );
  expect(["a.docx", "a.xlsx", "a.odp", "a.7z", "a.ttf", "a.heic", "a.flac"].map(kind)).toEqual([
    ...["Document", "Table", "Slides", "Archive", "Font", "Picture", "Sound"],
  ]);
});
