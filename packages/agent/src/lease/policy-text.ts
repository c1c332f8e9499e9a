import { parse, TomlError } from "smol-toml";
import type { z } from "zod";
import { shownName } from "../toml/shown-name.ts";
import type { Need } from "./lease.ts";
import { DEFAULT_POLICY, type Limit, type Policy, PolicyToml, policyOf } from "./policy.ts";

export type ReadPolicy =
  | { readonly ok: true; readonly policy: Policy }
  /** `line` is where it is wrong, as far as that is known. */
  | { readonly ok: false; readonly line?: number; readonly message: string };

/** What a policy's text says. */
export function readPolicyText(text: string): ReadPolicy {
  const table = tableOf(text);
  if (table instanceof TomlError) {
    const [reason = ""] = table.message.replace("Invalid TOML document: ", "").split("\n");
    return { ok: false, line: table.line, message: `is not TOML: ${reason}` };
  }
  const parsed = PolicyToml.safeParse(table);
  if (parsed.success) return { ok: true, policy: policyOf(parsed.data) };
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw parsed.error;
  const line = lineOf(text, issue, table);
  return { ok: false, message: faultOf(issue), ...(line !== undefined && { line }) };
}

/** The text with lines more in its list `always`; everything else in it, and every comment, stays as it is. */
export function withAlways(text: string, lines: readonly Need[]): string {
  const items = lines.map((line) => `  ${JSON.stringify(line)},\n`).join("");
  const head = /^[ \t]*(?:always|"always"|'always')[ \t]*=[ \t]*\[/m.exec(topOf(text));
  if (head === null) return inserted(text, topOf(text).length, `always = [\n${items}]\n\n`);
  const end = endOfArray(text, head.index + head[0].length);
  const before = `${text.slice(0, end.last)}${end.needsComma ? "," : ""}${text.slice(end.last, end.close)}`;
  return `${before}${/\n[ \t]*$/.test(before) ? "" : "\n"}${items}${text.slice(end.close)}`;
}

/** A file to begin with: all that holds by default, to be read and changed. */
export function firstPolicyText(): string {
  const list = (lines: readonly Need[]) => `[\n${lines.map((line) => `  ${JSON.stringify(line)},\n`).join("")}]`;
  const limit = (name: string, { steps, tokens, cost_usd, time_s, files, bytes }: Limit) =>
    `[limits.${name}]\nsteps = ${steps}\ntokens = ${tokens}\ncost_usd = ${cost_usd}\ntime_s = ${time_s}\nfiles = ${files}\nbytes = ${bytes}\n`;
  const { allow, ask, never, limits } = DEFAULT_POLICY;
  return `# What agents may do. A line is what, and of what: read PATH, edit PATH, secret PATH, network HOST, tool NAME.
# A path is relative to the workspace, or begins with a slash at the computer's root; it covers all that is below it.
# The line that names something most exactly holds; never is above all.

# What a task's lease may have without a question.
allow = ${list(allow)}

# What you are asked about, in the console.
ask = ${list(ask)}

# What isn't done, and nobody is asked.
never = ${list(never)}

# What you allowed for good ("always"): also beyond a task's lease.
always = []

# How much one task, one ask and one day may take. Steps are calls of a model; files and bytes are what is written,
# and a command that comes to more leaves nothing.
${limit("task", limits.task)}
${limit("ask", limits.ask)}
${limit("day", limits.day)}`;
}

function tableOf(text: string) {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

function faultOf(issue: z.core.$ZodIssue): string {
  const at = issue.path.filter((step) => typeof step === "string").join(".");
  if (issue.code === "unrecognized_keys") {
    const allowed = at === "" ? "allow, ask, never, always, limits" : "steps, tokens, cost_usd, time_s, files, bytes";
    return `${[at, shownName(issue.keys[0] ?? "")].filter((part) => part).join(".")} is not a key. Keys: ${at === "limits" ? "task, ask, day" : allowed}`;
  }
  return `${at}: ${issue.message}`;
}

/** The line of what is wrong: of a text its own, of anything else its key's. The parser doesn't say. */
function lineOf(text: string, issue: z.core.$ZodIssue, table: unknown): number | undefined {
  const lines = text.split("\n");
  const steps = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
  const value = steps.reduce((at: unknown, step) => Object(at)[step], table);
  const keys = steps.filter((step) => typeof step === "string");
  const after = lines.findIndex((line) => line.includes(keys.slice(0, -1).join("."))); // its table, where it has one
  const isKey = new RegExp(`^\\s*\\[?[\\w.]*["']?${RegExp.escape(keys.at(-1) ?? "")}["']?\\s*[=\\].]`);
  const key = lines.findIndex((line, i) => i >= after && isKey.test(line));
  if (key < 0) return undefined;
  if (typeof value !== "string") return key + 1;
  const item = lines.findIndex((line, i) => i >= key && line.includes(JSON.stringify(value).slice(1, -1)));
  return (item < 0 ? key : item) + 1;
}

/** What stands before the first table: only there a key is the policy's own. */
function topOf(text: string): string {
  const table = /^[ \t]*\[[^\n]*\][ \t]*(?:#.*)?$/m;
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (table.test(line.trimEnd()) && isStatement(text.slice(0, at))) return text.slice(0, at);
    at += line.length;
  }
  return text.endsWith("\n") || text === "" ? text : `${text}\n`;
}

/** A document that is cut between two statements still is one; cut inside one, it isn't. */
function isStatement(prefix: string): boolean {
  return !(tableOf(prefix) instanceof TomlError);
}

function inserted(text: string, at: number, more: string): string {
  const padded = at > text.length ? `${text}\n` : text;
  return `${padded.slice(0, at)}${more}${padded.slice(at)}`;
}

interface ArrayEnd {
  readonly close: number;
  /** After what stands last in it. */
  readonly last: number;
  readonly needsComma: boolean;
}

/** Where an array that opened just before `from` is closed, past strings and comments. */
function endOfArray(text: string, from: number): ArrayEnd {
  const token = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\]|[^\s]/g;
  token.lastIndex = from;
  let [last, needsComma] = [from, false];
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    if (word === "]") return { close: found.index, last, needsComma };
    if (word.startsWith("#")) continue;
    last = token.lastIndex;
    needsComma = word !== ",";
  }
  throw new Error("the list is never closed"); // it was parsed before, so it is
}
