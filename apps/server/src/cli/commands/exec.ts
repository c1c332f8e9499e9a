import { shownPath } from "@choiros/computer";
import { type Blocked, type ExecDone, exec as operation } from "@choiros/gateway/operations";
import { type Egress, faultOfHost, GIT_AND_PACKAGES } from "@choiros/sandbox";
import { UsageError } from "../../command-error.ts";
import { LEAST_MEMORY_MB, MB } from "../../config/schema.ts";
import { UNSAFE } from "../../sandbox-of.ts";
import { ask } from "../ask.ts";
import type { Command, CommandCall, ExitCode } from "../command.ts";
import { Passing } from "../passing.ts";
import { pathArgument } from "../path-argument.ts";
import { count } from "../plain.ts";
import { UNREAD, unread } from "../unread.ts";

export const exec: Command = {
  name: "exec",
  summary: "run a command in the computer's sandbox; 'choir undo' takes back what it did",
  positionals: [{ name: "CMD", many: true }],
  verbatim: true,
  usage: "",
  about: [
    "It sees the computer's files and the system's tools, and nothing else of this machine; it has no network unless it is",
    "allowed some. What it did to the files is one event, but for what is ignored (.choirignore: node_modules, build output,",
    "caches), which no undo brings back. One that is stopped, or reaches a limit, leaves nothing behind.",
    "CMD is a program with its words, not a line for a shell: for that, sh -c 'LINE'. It is given standard input, unless",
    "that is a keyboard. What it writes comes as it is (on a screen, with control characters written out); what became of",
    "it is told at the end, on standard error.",
    "With --json: the outcome as one object on standard output, and all that the command writes on standard error.",
    "Ends with what the command ended with; 124 out of time, 137 ended by another limit, 130 stopped by Ctrl-C, 141 stopped",
    "because nobody reads what it writes.",
    "Where it could not be run at all: 1, or 2 for wrong usage, and no outcome is told.",
  ],
  options: {
    allow: { type: "string", multiple: true },
    cwd: { type: "string" },
    env: { type: "string", multiple: true },
    keep: { type: "boolean" },
    memory: { type: "string" },
    timeout: { type: "string" },
  },
  optionHelp: [
    ["--cwd PATH", "the folder it begins in (default: workspace)"],
    ["--timeout SECONDS", "how long it may take (default: limits.time_s of the configuration)"],
    ["--memory MB", "how much memory it may have (default: limits.memory_mb)"],
    ["--allow HOST", "a host it may reach, or HOST:PORT; 'git+pkg' for those of git and packages; may be repeated"],
    ["--env NAME=VALUE", "a variable it is given; may be repeated. It stays in the log: no place for a password"],
    ["--keep", "keep what it did also where it is stopped or reaches a limit"],
  ],
  examples: [
    ["choir exec -- ls -l", "see what it sees"],
    ["choir exec --cwd site -- sh -c 'sed -i s/2025/2026/ *.html'", "change many files at once, in workspace/site"],
    ["choir exec --allow git+pkg --timeout 900 -- npm install", "with a network: only what packages come from"],
    ["sort < names.txt | choir exec -- tee sorted.txt", "hand it something to read"],
    ["choir exec --json -- make 2> make.log | jq .exit", "for a script: the outcome apart from what was said"],
  ],
  async run(call) {
    const { json, terminal, options } = call;
    const passing = new Passing(terminal, json);
    const blocked: Blocked[] = [];
    const request = {
      argv: [...call.words],
      keep: options.keep === true,
      reads: !terminal.typed,
      ...requestOf(options),
    };
    // Progress takes its line away when it is over: not one with output in it.
    const progress = (line: string) => passing.midLine || terminal.progress(line);
    const asking = ask({ ...call, terminal: { ...terminal, progress } }, operation, request, {
      reads: request.reads,
      output: (bytes) => passing.output(bytes),
      aside: (bytes) => passing.aside(bytes),
      item(said) {
        if ("blocked" in said) blocked.push(said.blocked);
        else terminal.aside(UNSAFE);
      },
    });
    const outcome = await asking.catch(unread);
    if (outcome === "unread") {
      terminal.aside(
        "choir: nobody reads what it writes any more: it was stopped, and nothing of what it did was kept",
      );
      return UNREAD;
    }
    await passing.end();
    if (outcome.ok) return tell(call, outcome, blocked);
    if (outcome.reason === "folder") throw new UsageError(outcome.message);
    terminal.aside(`choir: ${outcome.message}`);
    return 1;
  },
};

function requestOf({ allow, cwd, env, memory, timeout }: CommandCall["options"]) {
  const [memoryMb, seconds] = [amount("memory", memory, LEAST_MEMORY), amount("timeout", timeout)];
  return {
    cwd: folderOf(typeof cwd === "string" ? cwd : "."),
    egress: egressOf(wordsOf(allow)),
    env: Object.fromEntries(wordsOf(env).map(variableOf)),
    limits: {
      ...(memoryMb !== undefined && { memoryBytes: Math.round(memoryMb * MB) }),
      ...(seconds !== undefined && { timeMs: Math.round(seconds * 1000) }),
    },
  };
}

function wordsOf(option: CommandCall["options"][string]): string[] {
  return Array.isArray(option) ? option.map(String) : [];
}

function folderOf(word: string): string {
  const key = pathArgument(word, { area: true });
  if (!key.includes("//")) return key;
  throw new UsageError(`no command can begin in '${word}': its name isn't UTF-8`);
}

function egressOf(words: readonly string[]): Egress {
  if (words.length === 0) return "none";
  for (const word of words) {
    const fault = word === "git+pkg" ? undefined : faultOfHost(word);
    if (fault !== undefined)
      throw new UsageError(`--allow takes a host's name, HOST:PORT or git+pkg, not '${word}': ${fault}`);
  }
  if (words.every((word) => word === "git+pkg")) return "git+pkg";
  return words.flatMap((word) => (word === "git+pkg" ? GIT_AND_PACKAGES : [word]));
}

function variableOf(word: string): [name: string, value: string] {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(word) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new UsageError(`--env takes NAME=VALUE, not '${word}'`);
}

const LEAST_MEMORY = { least: LEAST_MEMORY_MB, what: `megabytes, at least ${LEAST_MEMORY_MB}` };
const MORE_THAN_NONE = { least: 0.001, what: "seconds, more than 0" };

function amount(name: string, value: unknown, { least, what } = MORE_THAN_NONE): number | undefined {
  if (value === undefined) return undefined;
  const found = typeof value === "string" && /^\d{1,9}(\.\d{1,3})?$/.test(value) ? Number(value) : 0;
  if (found >= least) return found;
  throw new UsageError(`--${name} takes a number of ${what}, not '${value}'`);
}

async function tell({ json, terminal }: CommandCall, done: ExecDone, kept: readonly Blocked[]): Promise<ExitCode> {
  const { call, changed, exit, how, ignored, limit, notes, seq } = done;
  const blocked = kept.map(({ key, why }) => ({ path: shownPath(key), why }));
  if (json) {
    await terminal.out(JSON.stringify({ seq, call, exit, how, limit, changed, ignored, blocked, notes }));
    return exitOf(done, terminal.signal);
  }
  const undo = changed > 0 ? `; 'choir undo call:${call}' takes it back` : "";
  const what = changed > 0 ? count(changed, "path") : ignored === true ? `only ${IGNORED}` : "nothing";
  terminal.aside(`${endOf(done)}Changed ${what}: event ${seq}, call:${call}${undo}`);
  if (changed > 0 && ignored === true) terminal.aside(`It also changed ${IGNORED}`);
  for (const { path, why } of blocked) {
    terminal.aside(`${path} is not in the folder yet: ${why}. It is tried again by itself.`);
  }
  for (const note of notes) terminal.aside(note);
  return exitOf(done, terminal.signal);
}

const IGNORED = "what is ignored, which no undo brings back";

const LIMITS = {
  memory: "memory (--memory, or limits.memory_mb)",
  processes: "processes (limits.processes)",
  "open-files": "open files (limits.open_files)",
  disk: "disk space (limits.disk_mb)",
  output: "output (limits.output_mb)",
  time: "time (--timeout, or limits.time_s)",
} as const satisfies Record<NonNullable<ExecDone["limit"]>, string>;

/** How it ended, where that was not the plain way. */
function endOf({ exit, how, limit }: ExecDone): string {
  if (limit !== null) return `Ended: it reached its limit on ${LIMITS[limit]}. `;
  if (how === "killed") return "Stopped. ";
  return exit === 0 ? "" : `Exit ${exit}. `;
}

const OUT_OF_TIME = 124;
const KILLED = 137;

function exitOf({ exit, limit }: ExecDone, signal: AbortSignal): ExitCode {
  if (exit !== null) return exit;
  if (limit === "time") return OUT_OF_TIME;
  return limit === null && signal.aborted ? 130 : KILLED;
}
