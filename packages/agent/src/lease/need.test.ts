import fc from "fast-check";
import { expect, test } from "vitest";
import { covers, exactness, type ParsedNeed, parseNeed, pathNeed } from "./need.ts";

function need(line: string): ParsedNeed {
  const parsed = parseNeed(line);
  if ("why" in parsed) throw new Error(parsed.why);
  return parsed;
}

test.each([
  ["edit src", "edit src/a.ts", true],
  ["edit src", "edit src", true],
  ["edit src", "edit src2/a.ts", false],
  ["edit .", "edit deep/er", true],
  ["edit .", "edit /artifacts/x", false],
  ["read /", "read /choiros/app.ts", true],
  ["read /", "edit a", false],
  ["edit /home/choir/workspace/a", "edit a/b", true],
  ["network *.example.org", "network api.example.org", true],
  ["network *.example.org", "network example.org", true],
  ["network *.example.org", "network notexample.org", false],
  ["network git+pkg", "network github.com", true],
  ["network git+pkg", "network example.org", false],
  ["network *", "network git+pkg", true],
  ["network Example.ORG", "network example.org", true],
  ["network example.org", "network example.org.", true],
  ["network *.example.org.", "network api.Example.org", true],
  ["network bücher.example", "network xn--bcher-kva.example", true],
  ["network git+pkg", "network GitHub.com.", true],
  ["tool *", "tool bash", true],
  ["tool bash", "tool undo", false],
])("LEASE-3: '%s' covers '%s': %s", (line, wanted, whether) => {
  expect(covers(need(line), need(wanted))).toBe(whether);
});

test.each([
  ["fly away", "must begin with one of read, edit, secret, network, tool"],
  ["edit", "must say what after 'edit'"],
  ["edit ../x", "'../x' can't be a path: no '..', no empty part"],
  [
    "edit /etc/passwd",
    "'/etc/passwd' is not in the computer: after a leading slash stands workspace, artifacts, choiros",
  ],
  ["network 127.0.0.1", "must name a host"],
  ["network *.", "must name a host"],
  ["network example.org:8443", "a port can't be named here"],
  ["tool No Tool", "must name a tool, or *"],
  ['edit "half', "must have a path that is quoted as JSON is"],
])("LEASE-3: '%s' is refused", (line, why) => {
  expect(parseNeed(line)).toMatchObject({ why: expect.stringContaining(why) });
});

test("LEASE-3: a path that would be shown as another, or as more lines, is quoted", () => {
  expect(pathNeed("edit", "workspace/a\nedit /choiros")).toBe('edit "a\\nedit /choiros"');
  expect(pathNeed("edit", "workspace/gpj.\u202etxt")).toBe('edit "gpj.\\u202etxt"');
  expect(pathNeed("read", "workspace/\u{e0041}")).toBe('read "\\udb40\\udc41"');
  expect(pathNeed("read", "workspace/plain name.md")).toBe("read plain name.md");
});

test("LEASE-3: whatever the name, its line is one line that can be seen, and means that name", () => {
  const name = fc
    .string({ unit: "binary", minLength: 1 })
    .filter((text) => !/[/\0]/.test(text) && !/^\.{1,2}$/.test(text));
  fc.assert(
    fc.property(name, (text) => {
      const line = pathNeed("edit", `workspace/${text}`);
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(need(line)).toEqual({ kind: "edit", what: `workspace/${text}` });
    }),
  );
});

test("LEASE-3: a name that isn't UTF-8 is shown as it can be read back, and no place beside an area is taken for one in it", () => {
  for (const key of ["workspace///ff", "workspace/.//ff", "workspace/a//ff", "workspace/a///ff/b", "artifacts///ff"])
    expect(need(pathNeed("read", key))).toEqual({ kind: "read", what: key });
  for (const word of ["/workspace//e9", "//e9", "/.git//ff", "/artifacts//ff/a"])
    expect(parseNeed(`read ${word}`)).toMatchObject({ why: expect.stringContaining("is not in the computer") });
});

test("LEASE-3: the deeper path, the longer domain and the host itself are the more exact ones", () => {
  const sorted = ["read /", "read .", "read a", "read a/b"].map((line) => exactness(need(line)));
  expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
  const hosts = ["*", "git+pkg", "*.org", "*.example.org", "example.org"].map((host) =>
    exactness(need(`network ${host}`)),
  );
  expect(hosts).toEqual([...hosts].sort((a, b) => a - b));
});
