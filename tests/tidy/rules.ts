import { withoutFences } from "./markdown.ts";
import { lineAt, stringsOf } from "./syntax.ts";
import { type Check, finding, isTest, isTidyItself, nameOf, type Tree, workspaceOf } from "./tree.ts";

interface Rule {
  readonly number: string;
  /** File and line. */
  readonly place: string;
}

const SPEC = /^(?:packages|apps)\/[^/]+\/SPEC\.md$/;
/** `**LOG-4**`, at the start of a list item, a table row or a heading: there a rule is made. Elsewhere it is only named. */
const MADE = /^[ \t]*(?:[-*+]|\d+\.|\||#{1,6})[ \t]*\*\*([A-Z][A-Z0-9]*-\d+)\b/gm;
const NAMED = /\b([A-Z][A-Z0-9]*)-\d+\b/g;

/** Each numbered rule of a SPEC stands in one place and in the name of a test; and no test names a rule that isn't there. */
export const rules: Check = (tree) => {
  const made = rulesOf(tree);
  const named = namesOf(tree, prefixesOf(tree, made));
  const numbers = new Set(made.map((rule) => rule.number));
  const tested = new Set(named.map((rule) => rule.number));
  return [
    ...made
      .filter((rule, i) => made.findIndex((other) => other.number === rule.number) !== i)
      .map((rule) => finding("rules", rule.place, `makes ${rule.number} a second time`)),
    ...made
      .filter((rule) => !tested.has(rule.number))
      .map((rule) => finding("rules", rule.place, `makes ${rule.number}, but no test has it in its name`)),
    ...named
      .filter((rule) => !numbers.has(rule.number))
      .map((rule) => finding("rules", rule.place, `names ${rule.number}, but no SPEC.md makes such a rule`)),
  ];
};

function rulesOf(tree: Tree): Rule[] {
  return [...tree]
    .filter(([file]) => SPEC.test(file))
    .flatMap(([file, text]) =>
      [...withoutFences(text).matchAll(MADE)].map((match) => ({
        number: match[1] ?? "",
        place: `${file}:${lineAt(text, match.index + match[0].length)}`,
      })),
    );
}

/** `LOG` is a prefix where a SPEC uses it, and for a package of that name; `SHA` and `UTF` are none. */
function prefixesOf(tree: Tree, made: readonly Rule[]): Set<string> {
  const packages = [...tree.keys()].map((file) => nameOf(workspaceOf(file) ?? "").toUpperCase());
  return new Set([...packages, ...made.map((rule) => rule.number.replace(/-\d+$/, ""))]);
}

function namesOf(tree: Tree, prefixes: ReadonlySet<string>): Rule[] {
  return [...tree]
    .filter(([file]) => isTest(file) && !isTidyItself(file))
    .flatMap(([file, text]) => {
      const named = stringsOf(file, text).flatMap((string) => [...string.matchAll(NAMED)]);
      const numbers = named.filter((match) => prefixes.has(match[1] ?? "")).map((match) => match[0]);
      return [...new Set(numbers)].map((number) => ({ number, place: file }));
    });
}
