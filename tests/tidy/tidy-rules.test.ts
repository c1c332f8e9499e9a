import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cycles } from "./cycles.ts";
import { layers } from "./layers.ts";
import { links } from "./links.ts";
import { manifests } from "./manifests.ts";
import { names } from "./names.ts";
import { programs } from "./programs.ts";
import { rules } from "./rules.ts";
import { sizes } from "./sizes.ts";
import { type Check, gitEnvironment, readTree } from "./tree.ts";
import { machinePaths, words } from "./words.ts";

/** A small tree in which all is well: a bad file is added to it, or put in place of a good one. */
const GOOD = {
  "README.md": "# Choir\n\n[The log](packages/log/README.md#what-it-keeps), [docs](docs/)\n",
  "docs/GLOSSARY.md": "# Words\n\n[up](../README.md) and [web](https://example.com/work/x#y)\n",
  "docs/look.png": "",
  "packages/log/README.md": "# The log\n## What it keeps\n",
  "packages/log/SPEC.md": "# Rules\n- **LOG-1** Appends are durable.\n| **LOG-2** | SHA-256 |\n### **LOG-3** Order\n",
  "packages/log/src/index.ts": 'export { append } from "./append.ts";\nexport type { Log } from "./log.ts";\n',
  "packages/log/src/append.ts":
    'import { readFile } from "node:fs/promises";\nimport { Id } from "@choiros/contract";\nimport type { Log } from "./log.ts";\nexport const append = (log: Log) => [readFile, Id, log];\n',
  "packages/log/src/log.ts": 'import { append } from "./append.ts";\nexport type Log = typeof append;\n',
  "packages/log/src/append.test.ts":
    'import { append } from "./append.ts";\nimport { start } from "@choiros/server";\ntest("LOG-1, LOG-2: UTF-8", () => start(append));\ntest(`LOG-3`, () => 1);\n',
  "packages/log/package.json": manifest("log", ["contract"]),
  "packages/contract/src/index.ts": 'import { z } from "zod";\nexport const Id = z.string();\n',
  "packages/contract/package.json": manifest("contract", []),
  "apps/server/src/index.ts": 'import { append } from "@choiros/log";\nexport const start = append;\n',
  "apps/server/package.json": manifest("server", ["log"]),
  "tests/whole.test.ts":
    'import { append } from "@choiros/log";\nimport { bench } from "../bench/main.ts";\nappend(bench);\n',
  "bench/main.ts": 'export const bench = await import("@choiros/server");\n',
  "scripts/run": "#!/bin/sh\nexec node\n",
};

function manifest(name: string, dependencies: readonly string[], more: object = {}): string {
  return JSON.stringify({
    name: `@choiros/${name}`,
    private: true,
    type: "module",
    exports: { ".": "./src/index.ts" },
    dependencies: Object.fromEntries(dependencies.map((dependency) => [`@choiros/${dependency}`, "0.1.0"])),
    ...more,
  });
}

function found(check: Check, files: Readonly<Record<string, string>>): string[] {
  return check(new Map(Object.entries({ ...GOOD, ...files })));
}

const lines = (count: number) => "// line\n".repeat(count);

test.each([layers, cycles, sizes, names, words, machinePaths, links, rules, programs, manifests])(
  "a tidy tree has nothing to find: %o",
  (check) => {
    expect(found(check, {})).toEqual([]);
  },
);

test("the tree is what git has and what it would add, without what was deleted or is ignored", async () => {
  const root = await mkdtemp(join(tmpdir(), "choir-tidy-"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env: gitEnvironment() });
  git("init", "--quiet");
  await writeFile(join(root, ".gitignore"), "ignored.md\n");
  for (const file of ["deleted.md", "ignored.md", "kept.md", "new.md"]) await writeFile(join(root, file), file);
  await writeFile(join(root, "binary.png"), Uint8Array.of(0, 1));
  git("add", "deleted.md", "kept.md");
  await rm(join(root, "deleted.md"));
  expect([...readTree(root)]).toEqual([
    [".gitignore", "ignored.md\n"],
    ["binary.png", ""],
    ["kept.md", "kept.md"],
    ["new.md", "new.md"],
  ]);
  await rm(root, { recursive: true });
});

type Bad = [what: string, file: string, text: string, finding: string];

function finds(check: Check, cases: Bad[]): void {
  test.each(cases)("finds %s", (_, file, text, finding) => {
    expect(found(check, { [file]: text })).toEqual([finding]);
  });
}

describe("layers", () => {
  const ui = { "apps/console/package.json": manifest("console", ["log"]), "apps/console/src/index.ts": "" };

  finds(layers, [
    [
      "an import up the layers",
      "packages/log/src/x.ts",
      '\nimport type { start } from "@choiros/server";',
      "packages/log/src/x.ts:2: imports server, but log may import contract [layers]",
    ],
    [
      "an import of a package by the contract, also in a type",
      "packages/contract/src/x.ts",
      'export type X = import("@choiros/log").Log;',
      "packages/contract/src/x.ts:1: imports log, but contract may import no package [layers]",
    ],
    [
      "Node in the contract",
      "packages/contract/src/x.ts",
      'import "node:fs";',
      "packages/contract/src/x.ts:1: imports node:fs, but contract must run in the browser too [layers]",
    ],
    [
      "a path out of the package",
      "packages/log/src/x.ts",
      'export * from "../../contract/src/index.ts";',
      "packages/log/src/x.ts:1: imports ../../contract/src/index.ts, out of its package: import other packages by name [layers]",
    ],
    [
      "a path into a package from outside",
      "tests/x.test.ts",
      'import "../packages/log/src/log.ts";',
      "tests/x.test.ts:1: imports ../packages/log/src/log.ts, out of its package: import other packages by name [layers]",
    ],
    [
      "a deep import, also in a test",
      "packages/log/src/x.test.ts",
      'import "@choiros/contract/src/index.ts";',
      "packages/log/src/x.test.ts:1: imports @choiros/contract/src/index.ts, which contract doesn't export [layers]",
    ],
    [
      "a dynamic import that isn't declared",
      "apps/server/src/x.ts",
      'await import("@choiros/contract");',
      "apps/server/src/x.ts:1: imports contract, which is not in the dependencies of apps/server/package.json [layers]",
    ],
    [
      "a package that isn't there",
      "bench/x.ts",
      'import "@choiros/mail";',
      "bench/x.ts:1: imports @choiros/mail, but there is no such package [layers]",
    ],
    [
      "a package that imports itself by name",
      "packages/log/src/x.ts",
      'import "@choiros/log";',
      "packages/log/src/x.ts:1: imports its own package by name: import the file [layers]",
    ],
    [
      "a package without a layer",
      "packages/mail/src/x.ts",
      "",
      "packages/mail: is not in the layer map of tests/tidy/layers.ts [layers]",
    ],
  ]);

  test("keeps the console and the desktop to the contract, even where more is declared", () => {
    expect(found(layers, { ...ui, "apps/console/src/x.ts": 'import "@choiros/log";' })).toEqual([
      "apps/console/src/x.ts:1: imports log, but console may import contract [layers]",
    ]);
  });

  test.each([
    ["agent", "gateway"],
    ["gateway", "agent"],
  ])("keeps %s from importing %s: they meet in the log", (from, to) => {
    const files = Object.fromEntries(
      [from, to].flatMap((name) => [
        [`packages/${name}/package.json`, manifest(name, [to])],
        [`packages/${name}/src/index.ts`, name === from ? `import "@choiros/${to}";` : ""],
      ]),
    );
    expect(found(layers, files)).toEqual([expect.stringContaining(`imports ${to}, but ${from} may import computer`)]);
  });

  test("isn't misled by imports in comments and strings", () => {
    const text = '// import "@choiros/server";\nexport const x = `import "@choiros/server"`;\n';
    expect(found(layers, { "packages/log/src/x.ts": text })).toEqual([]);
  });

  test("lets a package be imported by every subpath that it exports", () => {
    const exports = { "./suite": "./src/log.suite.ts" };
    const files = {
      "packages/log/package.json": manifest("log", ["contract"], { exports }),
      "packages/log/src/log.suite.ts": "",
      "tests/x.test.ts": 'import "@choiros/log/suite";',
    };
    expect(found(layers, files).filter((finding) => finding.includes("suite"))).toEqual([]);
  });
});

describe("cycles", () => {
  finds(cycles, [
    [
      "a file that imports itself",
      "bench/x.ts",
      'import "./x.ts";',
      "bench/x.ts: imports itself in a circle: bench/x.ts -> bench/x.ts [cycles]",
    ],
    [
      "a circle, also where only a type is named in it: the module is loaded all the same",
      "packages/log/src/append.ts",
      'import { type Log } from "./log.ts";',
      "packages/log/src/append.ts: imports itself in a circle: packages/log/src/append.ts -> packages/log/src/log.ts -> packages/log/src/append.ts [cycles]",
    ],
    [
      "a circle through packages",
      "packages/log/src/append.ts",
      'await import("@choiros/server");',
      "packages/log/src/index.ts: imports itself in a circle: packages/log/src/index.ts -> packages/log/src/append.ts -> apps/server/src/index.ts -> packages/log/src/index.ts [cycles]",
    ],
  ]);
});

describe("sizes", () => {
  finds(sizes, [
    [
      "a long file",
      "bench/x.ts",
      lines(301),
      "bench/x.ts: has 301 lines, over 300: split it by what it is about [sizes]",
    ],
    [
      "a long script",
      "scripts/x",
      `#!/bin/sh\n${lines(300)}`,
      "scripts/x: has 301 lines, over 300: split it by what it is about [sizes]",
    ],
    [
      "a long test",
      "bench/x.test.ts",
      lines(501),
      "bench/x.test.ts: has 501 lines, over 500: split it by what it is about [sizes]",
    ],
  ]);

  test("lets source have 300 lines, tests 500, and documents and data any number", () => {
    const files = { "a.md": lines(900), "a.json": lines(900), "a.ts": lines(300), "tests/torture/a.ts": lines(500) };
    expect(found(sizes, files)).toEqual([]);
  });
});

describe("names", () => {
  finds(names, [
    ["a heap", "bench/utils.ts", "", "bench/utils.ts: is named utils: name it after what is inside [names]"],
    [
      "a heap of tests",
      "bench/helper.test.ts",
      "",
      "bench/helper.test.ts: is named helper: name it after what is inside [names]",
    ],
    [
      "a heap with a first name",
      "bench/log-manager.ts",
      "",
      "bench/log-manager.ts: is named log-manager: name it after what is inside [names]",
    ],
    [
      "a folder for a heap",
      "bench/common/x.md",
      "",
      "bench/common: is named common: name it after what is inside [names]",
    ],
    [
      "a camel",
      "bench/appendEvent.ts",
      "",
      "bench/appendEvent.ts: is named appendEvent: names are in kebab-case [names]",
    ],
    ["a snake", "bench/big_logs/x.ts", "", "bench/big_logs: is named big_logs: names are in kebab-case [names]"],
    ...[
      ["a barrel", 'export * from "./log.ts";'],
      ["a barrel that imports first", 'import { a } from "./a.ts";\nexport { a };'],
      ["a barrel with a default", 'import { a } from "./a.ts";\nexport default { a };'],
    ].map(([what = "", text = ""]): Bad => {
      const finding = "only passes on what others export: import them where they are [names]";
      return [what, "packages/log/src/sqlite/index.ts", text, `packages/log/src/sqlite/index.ts: ${finding}`];
    }),
  ]);

  test("lets a configuration have a default export, and a name say what a worker serves", () => {
    const files = {
      "apps/console/src/service-worker.ts": "export {};",
      "knip.config.ts": "export default { ignore: [] };",
      "vite.config.ts": 'import { plugin } from "x";\nexport default { plugins: [plugin()] };',
    };
    expect(found(names, files)).toEqual([]);
  });
});

describe("words", () => {
  const off = "settle it, or open an issue [words]";
  finds(words, [
    ["what was put off", "bench/x.ts", "\n// TODO: later", `bench/x.ts:2: has TODO: ${off}`],
    ["what is known to be broken", "bench/x.css", "/* FIXME */", `bench/x.css:1: has FIXME: ${off}`],
    ["a silenced compiler", "bench/x.ts", "// @ts-ignore", `bench/x.ts:1: has @ts-ignore: ${off}`],
    ["a test that runs alone", "bench/x.ts", 'test.only("x")', `bench/x.ts:1: has .only(: ${off}`],
    ["a test that doesn't run", "bench/x.ts", 'test.skip("x")', `bench/x.ts:1: has .skip(: ${off}`],
    ["any", "bench/x.ts", "\nx(y as any);", "bench/x.ts:2: has a cast to any: parse it, or give it a type [words]"],
  ]);

  test("knows prose and data from code", () => {
    expect(found(words, { "a.md": "TODO", "bench/x.ts": "// as any other\nexport const TODOS = skip(1);" })).toEqual(
      [],
    );
  });
});

describe("machine paths", () => {
  finds(machinePaths, [
    ["a workplace", "a.md", "\n`/work/x/y`", "a.md:2: names /work/x, a path of one machine [machine paths]"],
    ["a home", "a.json", '"file:///root/x"', "a.json:1: names /root/x, a path of one machine [machine paths]"],
  ]);

  test("leaves parts of longer paths, of addresses and of names alone", () => {
    const text = `a/work/x https://x.org/root/y ~/work/z \${home}/work/ $HOME/work/ ../root/x /workspace/ /home/ada/`;
    expect(found(machinePaths, { "a.md": text })).toEqual([]);
  });
});

describe("links", () => {
  finds(links, [
    ["a link to nowhere", "docs/x.md", "\n[a](b.md)", "docs/x.md:2: links to b.md, which doesn't exist [links]"],
    ["an image that isn't there", "x.md", "![a](b.png)", "x.md:1: links to b.png, which doesn't exist [links]"],
    ["a definition", "x.md", "[a]\n\n[a]: b.md 'B'", "x.md:3: links to b.md, which doesn't exist [links]"],
    ["a tag", "x.md", '<img alt="" src="b.png">', "x.md:1: links to b.png, which doesn't exist [links]"],
    ["a way out of the tree", "x.md", "[a](../y.md)", "x.md:1: links to ../y.md, which doesn't exist [links]"],
    ["a stray sign", "x.md", "[a](50%)", "x.md:1: links to 50%, which doesn't exist [links]"],
    ["nothing", "x.md", "[a]()", "x.md:1: has a link to nothing [links]"],
    ["a heading that isn't there", "x.md", "# A\n[a](#b)", "x.md:2: links to #b, but x.md has no #b [links]"],
    [
      "a heading elsewhere",
      "x.md",
      "[a](README.md#b)",
      "x.md:1: links to README.md#b, but README.md has no #b [links]",
    ],
    ["a heading inside code", "x.md", "```\n# B\n```\n[a](#b)", "x.md:4: links to #b, but x.md has no #b [links]"],
    [
      "a line that isn't there",
      "x.md",
      "[a](scripts/run#L9)",
      "x.md:1: links to scripts/run#L9, but scripts/run has no #L9 [links]",
    ],
  ]);

  test("follows what GitHub follows", () => {
    const text = [
      "# The `choir` command: *all* of it",
      "## Twice",
      "## Twice",
      '## <a id="here"></a>[Linked](README.md) & Größe_1',
      "[a](#the-choir-command-all-of-it) [b](#twice-1) [c](#here) [d](#linked--größe_1) [e](<README.md>)",
      '[f](README.md "title") [g](/docs/GLOSSARY.md) [h](docs/look.png) [i](mailto:a@b.c) [j](scripts/run#L2)',
      "`[code](nowhere.md)` <!-- [comment](nowhere.md) --> [k](packages/log) [l](./docs/%47LOSSARY.md)",
      "  ```md\n  [fenced](nowhere.md)\n  ```",
      "[^1]: nowhere.md",
    ].join("\n");
    expect(found(links, { "x.md": text })).toEqual([]);
  });
});

describe("rules", () => {
  finds(rules, [
    [
      "a rule that no test names: a comment is no name",
      "packages/log/src/append.test.ts",
      '// LOG-1\ntest("LOG-2");\ntest("LOG-3");',
      "packages/log/SPEC.md:2: makes LOG-1, but no test has it in its name [rules]",
    ],
    [
      "a test that names a rule which isn't there",
      "packages/log/src/log.suite.ts",
      'test("LOG-1 and LOG-30");',
      "packages/log/src/log.suite.ts: names LOG-30, but no SPEC.md makes such a rule [rules]",
    ],
    [
      "a test that names a rule of a package without a SPEC",
      "tests/x.test.ts",
      'test("SERVER-1");',
      "tests/x.test.ts: names SERVER-1, but no SPEC.md makes such a rule [rules]",
    ],
    [
      "a rule that is made twice",
      "apps/server/SPEC.md",
      "See **LOG-2**.\n\n1. **LOG-1** Again.\n",
      "apps/server/SPEC.md:3: makes LOG-1 a second time [rules]",
    ],
  ]);
});

describe("programs", () => {
  finds(programs, [
    [
      "a file of the product that starts programs",
      "packages/log/src/git.ts",
      '\nimport { spawn } from "node:child_process";',
      "packages/log/src/git.ts:2: starts programs on the host: say why in programs.ts [programs]",
    ],
  ]);

  test("lets tests and those that must start them", () => {
    const text = 'import { spawn } from "node:child_process";';
    const files = [
      "packages/log/src/x.test.ts",
      "packages/log/src/testing/x.ts",
      "packages/computer/src/folder/flush.ts",
    ];
    expect(found(programs, Object.fromEntries(files.map((file) => [file, text])))).toEqual([]);
  });
});

describe("manifests", () => {
  const file = "packages/log/package.json";
  finds(manifests, [
    ["one that isn't JSON", file, "{", `${file}: is missing, or not a JSON object [manifests]`],
    [
      "one that is missing",
      "packages/mail/x.md",
      "",
      "packages/mail/package.json: is missing, or not a JSON object [manifests]",
    ],
    ["a public package", file, manifest("log", [], { private: false }), `${file}: must be "private": true [manifests]`],
    ["CommonJS", file, manifest("log", [], { type: "commonjs" }), `${file}: must be "type": "module" [manifests]`],
    [
      "another name",
      file,
      manifest("logs", []),
      `${file}: must have the name @choiros/log, after its folder [manifests]`,
    ],
    [
      "a second entry",
      file,
      manifest("log", [], { main: "x.ts" }),
      `${file}: must not have main: use exports [manifests]`,
    ],
    ["no exports", file, manifest("log", [], { exports: undefined }), `${file}: must have exports [manifests]`],
    [
      "an export of nothing",
      file,
      manifest("log", [], { exports: "./src/nothing.ts" }),
      `${file}: exports packages/log/src/nothing.ts, which doesn't exist [manifests]`,
    ],
  ]);
});
