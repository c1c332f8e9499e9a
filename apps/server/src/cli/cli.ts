import { parseArgs } from "node:util";
import { CommandError, OutputClosed, UsageError } from "../command-error.ts";
import { chooseUser, Home } from "../home.ts";
import { nearest } from "../nearest.ts";
import { VERSION } from "../version.ts";
import type { Command, CommandCall, ExitCode, Terminal } from "./command.ts";
import { configExplain } from "./commands/config-explain.ts";
import { doctor } from "./commands/doctor.ts";
import { events } from "./commands/events.ts";
import { start } from "./commands/start.ts";
import { status } from "./commands/status.ts";
import { verify } from "./commands/verify.ts";
import { commandHelp, overview } from "./help.ts";
import { plainJson, plainLines } from "./plain.ts";

const COMMANDS: readonly Command[] = [start, status, events, verify, doctor, configExplain];

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
    terminal.aside(plainLines(`choir: ${message}`));
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
  const command = find(words);
  const options = parse(command, [...before, ...words.slice(command.name.split(" ").length)]);
  if (options.help === true) {
    await terminal.out(commandHelp(command));
    return 0;
  }
  return command.run(callOf(options, env, terminal));
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
  await terminal.out(words.length === 0 ? overview(COMMANDS, VERSION) : commandHelp(find(words)));
  return 0;
}

function find(words: readonly string[]): Command {
  const called = words.join(" ");
  const found = COMMANDS.find(({ name }) => called === name || called.startsWith(`${name} `));
  if (found !== undefined) return found;
  const [word = ""] = words;
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${word} `)).map(({ name }) => name);
  if (family.length > 0) throw new UsageError(`'${word}' needs one more word: ${family.join(", ")}`);
  const meant = nearest(
    word,
    COMMANDS.map(({ name }) => name),
  );
  const hint = meant === undefined ? "see 'choir --help'" : `did you mean 'choir ${meant}'? See 'choir --help'`;
  throw new UsageError(`there is no command '${word}'; ${hint}`);
}

function parse(command: Command, args: readonly string[]): CommandCall["options"] {
  try {
    const config = { ...GLOBAL, ...command.options };
    return parseArgs({ args: joinNegatives(args), options: config, allowPositionals: false, strict: true }).values;
  } catch (error) {
    const message = error instanceof Error ? (error.message.split(/\. |\n/)[0] ?? "") : String(error);
    throw new UsageError(`${message}; see 'choir ${command.name} --help'`);
  }
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

function callOf(options: CommandCall["options"], env: NodeJS.ProcessEnv, terminal: Terminal): CommandCall {
  const home = Home.at(text(options.home), env);
  const fault = home.fault();
  if (fault !== undefined) throw new CommandError(`${fault}: choose another folder with --home DIR`);
  const user = () => {
    const chosen = chooseUser(home, text(options.user) ?? (env.CHOIR_USER || undefined));
    if (!chosen.ok) throw new UsageError(chosen.message);
    return chosen.userId;
  };
  const json = options.json === true;
  // Whatever a command shows may hold a name or a text from elsewhere.
  const out = (text: string) => terminal.out(json ? plainJson(text) : plainLines(text));
  const aside = (text: string) => terminal.aside(plainLines(text));
  return { home, user, json, options, env, terminal: { ...terminal, out, aside } };
}

function text(value: CommandCall["options"][string]): string | undefined {
  return typeof value === "string" ? value : undefined;
}
