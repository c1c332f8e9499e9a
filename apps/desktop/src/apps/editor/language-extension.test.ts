import { ensureSyntaxTree, highlightingFor } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { highlightTree } from "@lezer/highlight";
import { expect, test } from "vitest";
import { codeLook } from "./code-look.ts";
import { languageExtension } from "./language-extension.ts";

test.each([
  ["a.ts", 'const a: number = 1; // "one"', ["const", "number", "1", '// "one"']],
  ["a.tsx", "const a = <p id='x'>1</p>;", ["const", "p", "id", "'x'"]],
  ["a.js", "function f() { return null; }", ["function", "f", "return", "null"]],
  ["a.py", 'def f(): return "one" # two', ["def", "f", "return", '"one"', "# two"]],
  ["a.go", "func f() int { return 1 }", ["func", "return", "1"]],
  ["a.rs", 'fn f() -> u8 { 1 } // "one"', ["fn", "u8", "1", '// "one"']],
  ["A.java", "class A { int a = 1; }", ["class", "int", "1"]],
  ["a.c", "int f(void) { return 1; }", ["int", "return", "1"]],
  ["a.cpp", "class A { bool b = true; };", ["class", "A", "true"]],
  ["a.cs", "class A { bool b = true; }", ["class", "true"]],
  ["a.php", '<?php function f() { return "one"; }', ["function", "return", '"one"']],
  ["a.rb", 'def f; "one"; end # two', ["def", '"one"', "# two"]],
  ["a.sh", 'if true; then echo "one"; fi # two', ["if", "then", '"one"', "# two"]],
  ["a.sql", "SELECT a FROM b WHERE c = 'one'", ["SELECT", "FROM", "WHERE", "'one'"]],
  ["a.html", '<p id="x">one</p>', ["p", "id", '"x"']],
  ["a.css", "p { color: #fff; margin: 1px }", ["p", "#fff", "1"]],
  ["a.json", '{"a": [true, 1]}', ["true", "1"]],
  ["a.yaml", "a: 'one' # two", ["'one'", "# two"]],
  ["a.toml", 'a = "one" # two', ['"one"', "# two"]],
  ["a.xml", '<p id="x">one</p>', ["p", "id", '"x"']],
  ["a.md", "# One\n\n`two`\n\n```ts\nconst a = 1;\n```\n", ["One", "two", "const"]],
  ["Dockerfile", 'FROM a\nRUN echo "one" # two\n', ["FROM", "RUN"]],
  ["a.swift", 'func f() -> Int { return 1 } // "one"', ["func", "return", "1", '// "one"']],
  ["a.kt", 'fun f(): Int { return 1 } // "one"', ["fun", "return", "1", '// "one"']],
])("EDIT-12: %s is coloured", async (name, text, words) => {
  const extensions = [await languageExtension(`workspace/${name}`), codeLook];
  const state = EditorState.create({ doc: text, extensions });
  const tree = ensureSyntaxTree(state, text.length, 5_000);
  if (tree === null) throw new Error("it isn't read to its end");
  const coloured: string[] = [];
  const look = { style: (tags: Parameters<typeof highlightingFor>[1]) => highlightingFor(state, tags) };
  highlightTree(tree, look, (from, to) => coloured.push(text.slice(from, to)));
  expect(coloured.map((word) => word.trim())).toEqual(expect.arrayContaining(words));
});
