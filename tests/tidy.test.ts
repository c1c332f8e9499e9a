import { join } from "node:path";
import { expect, test } from "vitest";
import { cycles } from "./tidy/cycles.ts";
import { layers } from "./tidy/layers.ts";
import { links } from "./tidy/links.ts";
import { manifests } from "./tidy/manifests.ts";
import { names } from "./tidy/names.ts";
import { programs } from "./tidy/programs.ts";
import { rules } from "./tidy/rules.ts";
import { sizes } from "./tidy/sizes.ts";
import { type Check, readTree } from "./tidy/tree.ts";
import { machinePaths, words } from "./tidy/words.ts";

const tree = readTree(join(import.meta.dirname, ".."));

const checks: [promise: string, check: Check][] = [
  ["packages import one another only as the layer map says, by name, and as declared", layers],
  ["no file needs itself to load", cycles],
  ["a file can be read in one go", sizes],
  ["files and folders have names that say what is inside", names],
  ["nothing in the code is put off or switched off", words],
  ["no file knows on whose machine it was written", machinePaths],
  ["each link in the documents leads somewhere", links],
  ["each rule of a SPEC is named by a test, and each that a test names is there", rules],
  ["S3: the host starts no program but those it must, and never git", programs],
  ["every workspace is private, made of ES modules, and gives out what its exports say", manifests],
];

test.each(checks)("%s", (_, check) => {
  expect(check(tree)).toEqual([]);
});

test("the tree that is looked at is this repository", () => {
  expect([...tree.keys()]).toEqual(expect.arrayContaining(["package.json", "packages/contract/src/index.ts"]));
});
