import { parseArgs } from "node:util";
import { CommandError, OutputClosed, UsageError } from "../command-error.ts";
import { chooseUser, Home } from "../home.ts";
import { nearest } from "../nearest.ts";
import { VERSION } from "../version.ts";
import type { Command, CommandCall, ExitCode, Terminal } from "./command.ts";
import { add } from "./commands/add.ts";
import { askCommand } from "./commands/ask.ts";
import { cat } from "./commands/cat.ts";
import { configExplain } from "./commands/config-explain.ts";
import { diff } from "./commands/diff.ts";
import { doctor } from "./commands/doctor.ts";
import { events } from "./commands/events.ts";
import { exec } from "./commands/exec.ts";
import { exportCommand } from "./commands/export.ts";
import { files } from "./commands/files.ts";
import { history } from "./commands/history.ts";
import { importCommand } from "./commands/import.ts";
import { mkdir } from "./commands/mkdir.ts";
import { mv } from "./commands/mv.ts";
import { rebuild } from "./commands/rebuild.ts";
import { restore } from "./commands/restore.ts";
import { rewind } from "./commands/rewind.ts";
import { rm } from "./commands/rm.ts";
import { start } from "./commands/start.ts";
import { status } from "./commands/status.ts";
import { undo } from "./commands/undo.ts";
import { userAdd } from "./commands/user-add.ts";
import { userLink } from "./commands/user-link.ts";
import { userList } from "./commands/user-list.ts";
import { userRemove } from "./commands/user-remove.ts";
import { verify } from "./commands/verify.ts";
import { write } from "./commands/write.ts";
import { commandHelp, familyHelp, overview } from "./help.ts";
import { plain, plainJson } from "./plain.ts";

const COMMANDS: readonly Command[] = [
  ...[start, status, askCommand, events],
  ...[files, cat, history, diff],
  ...[write, mkdir, mv, rm, add, exec, undo, rewind, restore],
  ...[exportCommand, importCommand, verify, rebuild, doctor, configExplain],
  ...[userAdd, userList, userRemove, userLink],
];

const GLOBAL = {
  home: { type: "string" },
  user: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** One command line, from its words to its exit code. Whatever goes wrong ends in a sentence, never in a stack. */
export async function runCli(words: readonly string[], env: NodeJS.ProcessEnv, terminal: Terminal): Promise<ExitCode> {
  try {
    return await dispatch(words, env, terminal);
  } catch (error) {
    if (error instanceof OutputClosed) return 0;
    if (terminal.signal.aborted) return 130;
    const message = error instanceof Error ? error.message : String(error);
    terminal.aside(plain(`choir: ${message}`));
    if (error instanceof CommandError) for (const line of error.more) terminal.aside(plain(line));
    if (error instanceof UsageError) return 2;
    if (!(error instanceof CommandError) && env.DEBUG !== undefined) terminal.aside(String(Object(error).stack));
    return 1;
  }
}

async function dispatch(given: readonly string[], env: NodeJS.ProcessEnv, terminal: Terminal): Promise<ExitCode> {
  const { words, before } = splitLeading(given);
  const [first] = words;
  if (given.length === 0 || first === "help" || first === "--help" || first === "-h")
    return help(words.slice(1), terminal);
  if (first === "--version" || first === "-V") {
    await terminal.out(VERSION);
    return 0;
  }
  if (before.length > 0 && words.length === 0) throw new UsageError("say which command; see 'choir --help'");
  if (isFamily(words[0]) && (words[1] === "--help" || words[1] === "-h")) return help(words, terminal);
  const command = find(words);
  const parsed = parse(command, [...before, ...words.slice(command.name.split(" ").length)]);
  if (parsed.values.help === true) {
    await terminal.out(commandHelp(command));
    return 0;
  }
  const { positionals } = parsed;
  checkWords(command, positionals);
  return command.run(callOf(parsed.values, positionals, env, terminal));
}

/** `choir --home DIR events` means `choir events --home DIR`. */
function splitLeading(given: readonly string[]): { words: string[]; before: string[] } {
  const words = [...given];
  const before: string[] = [];
  while (words[0] !== undefined && /^--(home|user|json)\b/.test(words[0])) {
    const takesNext = words[0] === "--home" || words[0] === "--user";
    before.push(...words.splice(0, takesNext ? 2 : 1));
  }
  return { words, before };
}

async function help(given: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const firstOption = given.findIndex((word) => word.startsWith("-"));
  const words = firstOption === -1 ? given : given.slice(0, firstOption);
  await terminal.out(helpOf(words));
  return 0;
}

function helpOf(words: readonly string[]): string {
  const [first] = words;
  if (first === undefined) return overview(COMMANDS, VERSION);
  return words.length === 1 && isFamily(first) ? familyHelp(first, familyOf(first)) : commandHelp(find(words));
}

/** `choir user` is no command, but several begin with it. */
function isFamily(word: string | undefined): word is string {
  return word !== undefined && familyOf(word).length > 0;
}

function familyOf(word: string): Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}

function find(words: readonly string[]): Command {
  const called = words.join(" ");
  const found = COMMANDS.find(({ name }) => called === name || called.startsWith(`${name} `));
  if (found !== undefined) return found;
  const [word = ""] = words;
  const family = familyOf(word).map(({ name }) => name);
  if (family.length > 0) throw new UsageError(`'${word}' needs one more word: ${family.join(", ")}`);
  const meant = nearest(
    word,
    COMMANDS.map(({ name }) => name),
  );
  const hint = meant === undefined ? "see 'choir --help'" : `did you mean 'choir ${meant}'? See 'choir --help'`;
  throw new UsageError(`there is no command '${word}'; ${hint}`);
}

function parse(command: Command, args: readonly string[]) {
  const { own, rest } = splitVerbatim(command, args);
  try {
    const options = { ...GLOBAL, ...command.options };
    const allowPositionals = command.positionals !== undefined && rest === undefined;
    const parsed = parseArgs({
      args: withValues(command, joinNegatives(own)),
      options,
      allowPositionals,
      strict: true,
    });
    return rest === undefined ? parsed : { ...parsed, positionals: [...rest] };
  } catch (error) {
    const first = error instanceof Error ? (error.message.split(/\. |\n/)[0] ?? "") : String(error);
    const message = first.replace(/^Option '(?:-\w, )?(--[\w-]+).*' argument is ambiguous\.?$/, AMBIGUOUS);
    throw new UsageError(`${message}; ${optionHint(command, message)}see 'choir ${command.name} --help'`);
  }
}

/** Node's own word for it says nothing of what to do. */
const AMBIGUOUS = "$1 lacks its value; one that begins with a dash is written $1=VALUE";

/** The words of another program may look like options of ours: they stand behind `--`, and are let alone. */
function splitVerbatim({ name, verbatim }: Command, args: readonly string[]) {
  const end = args.indexOf("--");
  if (verbatim !== true || (end === -1 && args.some((word) => word === "--help" || word === "-h")))
    return { own: args };
  if (end !== -1) return { own: args.slice(0, end), rest: args.slice(end + 1) };
  throw new UsageError(
    `'--' is missing before what is to run, as in 'choir ${name} -- ls -l'; see 'choir ${name} --help'`,
  );
}

function optionHint({ options }: Command, message: string): string {
  const [, wrong] = /^Unknown option '--(.+)'$/.exec(message) ?? [];
  const meant = wrong === undefined ? undefined : nearest(wrong, Object.keys({ ...GLOBAL, ...options }));
  return meant === undefined ? "" : `did you mean '--${meant}'? `;
}

/** An option that may stand alone would take the next word for its value. */
function withValues({ bareOptions = [] }: Command, args: readonly string[]): string[] {
  const end = args.indexOf("--");
  return args.map((word, i) =>
    (end === -1 || i < end) && bareOptions.some((name) => word === `--${name}`) ? `${word}=` : word,
  );
}

function checkWords({ name, positionals = [] }: Command, words: readonly string[]): void {
  const missing = positionals.find(({ optional }, i) => optional !== true && words[i] === undefined);
  if (missing !== undefined) throw new UsageError(`${missing.name} is missing; see 'choir ${name} --help'`);
  if (positionals.at(-1)?.many === true) return;
  const extra = words[positionals.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'; see 'choir ${name} --help'`);
}

/** `--from -10` would be taken for two options. */
function joinNegatives(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const last = joined.at(-1);
    if (/^-\d+$/.test(word) && last !== undefined && /^--[a-z]+$/.test(last))
      joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

function callOf(
  options: CommandCall["options"],
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): CommandCall {
  const home = Home.at(text(options.home), env);
  const fault = home.fault();
  if (fault !== undefined) throw new CommandError(`${fault}: choose another folder with --home DIR`);
  const user = () => {
    const chosen = chooseUser(home, text(options.user) ?? (env.CHOIR_USER || undefined));
    if (!chosen.ok) throw new UsageError(chosen.message);
    return chosen.userId;
  };
  const json = options.json === true;
  // Whatever a command shows may hold a name or a text from elsewhere: it must not pass for another line.
  const out = (line: string) => terminal.out(json ? plainJson(line) : plain(line));
  const aside = (line: string) => terminal.aside(plain(line));
  const progress = (text: string) => terminal.progress(plain(text));
  return { home, user, json, options, words, env, terminal: { ...terminal, out, aside, progress } };
}

function text(value: CommandCall["options"][string]): string | undefined {
  return typeof value === "string" ? value : undefined;
}
