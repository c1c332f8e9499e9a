import fc from "fast-check";
import { stringify } from "smol-toml";
import { expect, test } from "vitest";
import { locate, type TomlPath } from "./locate.ts";

const cases: [what: string, toml: string, path: TomlPath, line: number | undefined][] = [
  ["a key below its section", '[server]\n\n# the port\nport = "http"\n', ["server", "port"], 4],
  ["a section by its header", "# hello\n\n[server]\nport = 1\n", ["server"], 3],
  ["a section by the header of one inside it", "\n[server.tls]\nkey = 1\n", ["server"], 2],
  ["a dotted key", "\nlog.engine = 1\nserver.port = 2\n", ["server", "port"], 3],
  ["a section that only dotted keys make", "a = 1\nserver.port = 2\n", ["server"], 2],
  ["a quoted key", "[server]\n\"port\" = 1\n'a.b' = 2\n", ["server", "a.b"], 3],
  ["a quoted section", '[log]\n["server"]\nport = 1\n', ["server", "port"], 3],
  ["a key inside an inline table", "log = {}\nserver = { port = 1, x = 2 }\n", ["server", "x"], 2],
  [
    "an array of several lines by its first",
    "[server]\nport = [\n  1, # one\n\n  2,\n]\nx = 1\n",
    ["server", "port"],
    2,
  ],
  ["what comes after an array of several lines", "[server]\nport = [\n  1,\n]\nx = 1\n", ["server", "x"], 5],
  ["a string of several lines by its first", '[a]\nb = """\n[server]\nport = 1\n"""\n', ["a", "b"], 2],
  [
    "a key, not the text in a string that looks like it",
    '[a]\nb = """\n[server]\nport = 1\n"""\n[server]\nport = 2\n',
    ["server", "port"],
    7,
  ],
  [
    "a key, not the text in a literal string that looks like it",
    "[a]\nb = '''\n[server]\nport = 1'''\n[server]\nport = 2\n",
    ["server", "port"],
    6,
  ],
  ["a key, not the comment that looks like it", "[server]\n# port = 1\nport = 2\n", ["server", "port"], 3],
  ["the second table of an array of tables", "[[a]]\nb = 1\n[[a]]\nb = 2\n", ["a", 1, "b"], 4],
  ["an array of tables by its first header", "\n[[a]]\nb = 1\n[[a]]\nb = 2\n", ["a"], 2],
  ["a key in a file with Windows line ends", "[server]\r\nx = [\r\n1]\r\nport = 1\r\n", ["server", "port"], 4],
  ["a key on a last line without an end", "[server]\nport = 1", ["server", "port"], 2],
  ["a key after a byte order mark", "\uFEFF[server]\nport = 1\n", ["server", "port"], 2],
  ["a key that every object has", "[server]\nconstructor = 1\n", ["server", "constructor"], 2],
  ["nothing where the path isn't set", "[server]\nport = 1\n", ["server", "toString"], undefined],
];

test.each(cases)("finds %s", (_, toml, path, line) => {
  expect(locate(toml, [path])).toEqual([line]);
});

test("finds several paths at once, whatever their order", () => {
  const toml = "[b]\nx = 1\n[a]\ny = 2\n";
  expect(locate(toml, [["a", "y"], ["b"], ["c"], ["b", "x"]])).toEqual([4, 1, undefined, 2]);
});

test("finds the line of every key, whatever values and comments stand before it", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", '"', "'", "[", "]", "=", "#", "{", "}", ",", " ", "\\") });
  const value = fc.oneof(fc.integer(), text, fc.array(text));
  const comment = fc.constantFrom("# port = 1", "", "   # [server]");
  const entry = fc.record({ comment, value });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
      const lines = ["[server]"];
      const expected = entries.map((entry, i) => {
        lines.push(entry.comment);
        const at = lines.length + 1;
        lines.push(...statement(`key-${i}`, entry.value).split("\n"));
        return at;
      });
      const paths = entries.map((_, i) => ["server", `key-${i}`]);
      expect(locate(lines.join("\n"), paths)).toEqual(expected);
    }),
  );
});

/** Spread over lines wherever TOML lets it: arrays of text one element a line, text as it is between triple quotes. */
function statement(key: string, value: number | string | string[]): string {
  if (Array.isArray(value)) return `${key} = [\n${value.map((text) => `${multiline(text)}, # ]`).join("\n")}\n]`;
  return typeof value === "string" ? `${key} = ${multiline(value)}` : stringify({ [key]: value }).trimEnd();
}

function multiline(text: string): string {
  return `"""\n${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"""`;
}
