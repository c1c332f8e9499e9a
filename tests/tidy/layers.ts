import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { manifestOf, SCOPE } from "./manifests.ts";
import { type Import, importsOf } from "./syntax.ts";
import { type Check, finding, isModule, isTest, nameOf, type Tree, workspaceOf, workspaces } from "./tree.ts";

/** Who may import whom. `agent` and `gateway` never each other: they meet in the log. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  agent: ["computer", "contract", "log", "sandbox"],
  computer: ["contract", "log", "sandbox"],
  console: ["contract"],
  contract: [],
  desktop: ["contract"],
  gateway: ["computer", "contract", "log"],
  log: ["contract"],
  sandbox: ["contract"],
  server: ["agent", "computer", "console", "contract", "desktop", "gateway", "log", "sandbox"],
};

/** Runs in the browser and in Node alike, so it may lean on neither. */
const WITHOUT_NODE = ["contract"];

/** Packages import one another as the layer map says, by name, and as declared. Tests may import any, but by name too. */
export const layers: Check = (tree) => {
  const unmapped = [...workspaces(tree).keys()]
    .filter((workspace) => LAYERS[nameOf(workspace)] === undefined)
    .map((workspace) => finding("layers", workspace, "is not in the layer map of tests/tidy/layers.ts"));
  const wrong = [...tree].filter(([file]) => isModule(file)).flatMap(([file, text]) => faultsOf(tree, file, text));
  return [...unmapped, ...wrong];
};

function faultsOf(tree: Tree, file: string, text: string): string[] {
  return importsOf(file, text).flatMap((imported) => {
    const fault = faultOf(tree, file, imported);
    return fault === undefined ? [] : [finding("layers", `${file}:${imported.line}`, fault)];
  });
}

function faultOf(tree: Tree, file: string, { specifier }: Import): string | undefined {
  if (specifier.startsWith(".") || specifier.startsWith("/")) return faultOfPath(file, specifier);
  if (specifier.startsWith(SCOPE)) return faultOfPackage(tree, file, specifier);
  const name = nameOf(workspaceOf(file) ?? "");
  if (!isTest(file) && WITHOUT_NODE.includes(name) && isBuiltin(specifier)) {
    return `imports ${specifier}, but ${name} must run in the browser too`;
  }
  return undefined;
}

function faultOfPath(file: string, specifier: string): string | undefined {
  const target = specifier.startsWith("/") ? specifier : posix.join(posix.dirname(file), specifier);
  if (workspaceOf(target) === workspaceOf(file) && !target.startsWith("..") && !target.startsWith("/"))
    return undefined;
  return `imports ${specifier}, out of its package: import other packages by name`;
}

function faultOfPackage(tree: Tree, file: string, specifier: string): string | undefined {
  const [target = "", ...rest] = specifier.slice(SCOPE.length).split("/");
  const home = [...workspaces(tree).keys()].find((workspace) => nameOf(workspace) === target);
  if (home === undefined) return `imports ${specifier}, but there is no such package`;
  const subpath = [".", ...rest].join("/");
  if (!manifestOf(tree, home).exports.has(subpath)) return `imports ${specifier}, which ${target} doesn't export`;
  const workspace = workspaceOf(file);
  if (isTest(file) || workspace === undefined) return undefined;
  return faultOfLayer(tree, workspace, target);
}

function faultOfLayer(tree: Tree, workspace: string, target: string): string | undefined {
  const name = nameOf(workspace);
  const allowed = LAYERS[name] ?? [];
  if (name === target) return `imports its own package by name: import the file`;
  if (!allowed.includes(target)) {
    return `imports ${target}, but ${name} may import ${allowed.length > 0 ? allowed.join(", ") : "no package"}`;
  }
  if (manifestOf(tree, workspace).dependencies.includes(SCOPE + target)) return undefined;
  return `imports ${target}, which is not in the dependencies of ${workspace}/package.json`;
}
