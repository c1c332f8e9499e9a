import { expect, test } from "vitest";
import { isProse, languageOf } from "./language-of.ts";

test.each([
  ["workspace/a.ts", "TypeScript"],
  ["workspace/a.tsx", "TSX"],
  ["workspace/a.mjs", "JavaScript"],
  ["workspace/a.py", "Python"],
  ["workspace/a.rs", "Rust"],
  ["workspace/a.go", "Go"],
  ["workspace/a.c", "C"],
  ["workspace/a.cpp", "C++"],
  ["workspace/A.java", "Java"],
  ["workspace/a.php", "PHP"],
  ["workspace/a.rb", "Ruby"],
  ["workspace/a.swift", "Swift"],
  ["workspace/a.kt", "Kotlin"],
  ["workspace/a.cs", "C#"],
  ["workspace/a.sh", "Shell"],
  ["workspace/.bashrc", "Shell"],
  ["workspace/a.sql", "SQL"],
  ["workspace/a.html", "HTML"],
  ["workspace/a.css", "CSS"],
  ["workspace/a.scss", "SCSS"],
  ["workspace/a.json", "JSON"],
  ["workspace/a.yaml", "YAML"],
  ["workspace/a.toml", "TOML"],
  ["workspace/a.xml", "XML"],
  ["workspace/a.vue", "Vue"],
  ["workspace/a.MD", "Markdown"],
  ["workspace/README", "Markdown"],
  ["workspace/Dockerfile", "Dockerfile"],
  ["workspace/a.diff", "diff"],
  ["workspace/a.lua", "Lua"],
  ["workspace/a.unknown", undefined],
  ["workspace/c", undefined],
])("EDIT-12: the language of %s is %s", (key, name) => {
  expect(languageOf(key)?.name).toBe(name);
});

test("EDIT-12: lines of prose are wrapped, lines of code aren't", () => {
  expect(["workspace/a.md", "workspace/a.txt", "workspace/LICENSE"].map(isProse)).toEqual([true, true, true]);
  expect(["workspace/a.ts", "workspace/a.csv"].map(isProse)).toEqual([false, false]);
});
