import { lineAt } from "./syntax.ts";
import { type Check, finding, isModule, isTest, workspaceOf } from "./tree.ts";

/** Which files of the product start programs on the host, and why that can't be turned against it. */
const STARTERS = new Map([
  ["packages/agent/src/secrets/keyring-place.ts", "secret-tool keeps keys, and gets none of what a workspace chose"],
  ["packages/computer/src/command/opaque.ts", "tar reads attributes of directories that only this process can reach"],
  ["packages/computer/src/folder/flush.ts", "sync takes a file system, and runs nothing"],
  ["packages/sandbox/src/bubblewrap/", "what goes into the sandbox, what it is made with, and what removes it"],
  ["packages/sandbox/src/porter/", "the porter of a network, which sees no byte of it"],
  ["packages/sandbox/src/unsafe/", "asked for by name, and told with each command"],
]);

const STARTS = /["'](?:node:)?child_process["']/g;

/**
 * The host starts few programs, and git is none of them: what a repository has in its config, hooks, filters or
 * attributes runs in the sandbox, or not at all.
 */
export const programs: Check = (tree) =>
  [...tree].flatMap(([file, text]) => {
    if (!isProduct(file) || [...STARTERS.keys()].some((known) => file.startsWith(known))) return [];
    return [...text.matchAll(STARTS)].map((match) =>
      finding(
        "programs",
        `${file}:${lineAt(text, match.index)}`,
        "starts programs on the host: say why in programs.ts",
      ),
    );
  });

function isProduct(file: string): boolean {
  return workspaceOf(file) !== undefined && isModule(file) && !isTest(file) && !file.includes("/testing/");
}
