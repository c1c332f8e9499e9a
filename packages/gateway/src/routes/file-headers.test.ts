import { expect, test } from "vitest";
import { fileHeaders, isNamed, spanOf, typeOf } from "./file-headers.ts";

const ENTRY = { kind: "file", hash: "a".repeat(64), size: 10, mode: 0o755 } as const;

test.each([
  [undefined, { from: 0, length: 10 }],
  ["bytes=0-0", { from: 0, length: 1 }],
  ["bytes=3-", { from: 3, length: 7 }],
  ["bytes=3-99", { from: 3, length: 7 }],
  ["bytes=-4", { from: 6, length: 4 }],
  ["bytes=-99", { from: 0, length: 10 }],
  ["bytes=10-", undefined],
  ["bytes=-0", undefined],
  ["bytes=5-2", { from: 0, length: 10 }],
  ["bytes=0-1,3-4", { from: 0, length: 10 }],
  ["bytes=a-b", { from: 0, length: 10 }],
  ["lines=1-2", { from: 0, length: 10 }],
  ["bytes=-", { from: 0, length: 10 }],
  ["bytes=99999999999999999999-", { from: 0, length: 10 }],
])("WEB-2: of ten bytes the range %j is %j", (range, span) => {
  expect(spanOf(range, 10)).toEqual(span);
});

test("WEB-2: of nothing there is no part", () => {
  expect(spanOf("bytes=0-", 0)).toBeUndefined();
  expect(spanOf("bytes=-1", 0)).toBeUndefined();
  expect(spanOf(undefined, 0)).toEqual({ from: 0, length: 0 });
});

test.each(["page.html", "page.HTM", "x.js", "x.mjs", "x.css", "x.xml", "x.xhtml", "x.ts"])(
  "WEB-4: %s is plain text to a browser",
  (key) => {
    expect(typeOf(`workspace/${key}`)).toBe("text/plain; charset=utf-8");
  },
);

test.each(["x", "x.exe", "x.wasm", "x.swf", "x.hta", "x.mht", "dir.html/x", "x.html."])(
  "WEB-4: of %s a browser is told nothing but that it is bytes",
  (key) => {
    expect(typeOf(`workspace/${key}`)).toBe("application/octet-stream");
  },
);

test("WEB-4: on the console's site everything is saved, on a desk's what can be shown is shown", () => {
  const on = (is: "console" | "desk", key: string, download = false) =>
    fileHeaders(key, ENTRY, { site: is === "desk" ? { is, computer: "ada" } : { is }, download })[
      "content-disposition"
    ];
  expect(on("console", "workspace/a.png")).toBe("attachment; filename*=UTF-8''a.png");
  expect(on("desk", "workspace/a.png")).toBe("inline; filename*=UTF-8''a.png");
  expect(on("desk", "workspace/a.png", true)).toBe("attachment; filename*=UTF-8''a.png");
  expect(on("desk", "workspace/a.exe")).toBe("attachment; filename*=UTF-8''a.exe");
});

test.each(["é'(1)*.txt", 'a"; filename="b.exe', "a\r\nset-cookie: x", "\ud800.txt"])(
  "WEB-4: the name %j can't break out of its header",
  (name) => {
    const headers = fileHeaders(`workspace/${name}`, ENTRY, { site: { is: "console" }, download: false });
    expect(headers["content-disposition"]).toMatch(/^attachment; filename\*=UTF-8''[\w.%~-]+$/);
  },
);

test("WEB-3: a version that is named is known, weakly too", () => {
  const { hash } = ENTRY;
  for (const tags of [`"${hash}"`, `W/"${hash}"`, `"x", "${hash}"`, "*"]) expect(isNamed(hash, tags)).toBe(true);
  for (const tags of [undefined, "", hash, '"x"']) expect(isNamed(hash, tags)).toBe(false);
});
