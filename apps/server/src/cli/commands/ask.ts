import { parseBar, type Command as Said, type Target, type When } from "@choiros/contract";
import { CommandError, UsageError } from "../../command-error.ts";
import { askDirector } from "../ask-director.ts";
import { barHelp } from "../bar-help.ts";
import { changeScheme, changeWallpaper } from "../change-look.ts";
import type { Command, CommandCall, ExitCode } from "../command.ts";
import { findPaths } from "../find-paths.ts";
import { eventAt, lastAction } from "../last-action.ts";
import { makeDocument, makeFolder } from "../make-new.ts";
import { TAKING_BACK, takeBack } from "../take-back.ts";
import { exec } from "./exec.ts";
import { exportCommand } from "./export.ts";
import { files } from "./files.ts";

export const askCommand: Command = {
  ...TAKING_BACK,
  name: "ask",
  summary: "say what you want, as in the bar of the desktop",
  positionals: [{ name: "TEXT", many: true }],
  usage: `[--in CONVERSATION] ${TAKING_BACK.usage}`,
  options: { ...TAKING_BACK.options, in: { type: "string" } },
  optionHelp: [
    ["--in CONVERSATION", "go on with that conversation: answers its question, or tells what runs in it"],
    ...TAKING_BACK.optionHelp,
  ],
  about: [
    "TEXT is a command of the bar: undo, redo, go back to WHEN, run CMD, find X, files, new doc NAME, new folder NAME,",
    "theme, wallpaper, export, help. 'choir ask help' lists them. What is about windows is for the desktop. It is best put",
    "in quotes: a shell has its own mind about some of it.",
    "Everything else is an ask for the Director, which needs a model; while none is connected, that is said, with exit",
    "code 1.",
    "What happens is told as it comes, on standard error, and the answer on standard output; with --json each of both is an",
    "object in a line, the outcome last. Ctrl-C stops the ask, with exit code 130; what it had done stays, and can be undone.",
    "It ends with 0 where it was done, and with 1 where it was given up, failed, reached a limit, or asks you something.",
    "Leave is given in the console: without a running server an ask that needs it is paused, with 1.",
    "Where nobody reads what comes any more, as in a pipe to 'head', the ask is stopped, with 141.",
    "With --in, TEXT is told there as it is, and is no command. The other options are for what takes something back.",
  ],
  examples: [
    ['choir ask "sort the notes by year"', "have agents do it, and follow them"],
    ['choir ask "undo"', "take back the last thing that was done"],
    ['choir ask --preview "go back to 10 minutes ago"', "see what would change"],
    ['choir ask "run wc -w *.md"', "a line for a shell, in the sandbox"],
    ['choir ask "help undo"', "what a command is for"],
  ],
  run(call) {
    const said = saidIn(call);
    refuseChoices(call.options, said);
    switch (said.do) {
      case "ask":
        return askDirector(call, said.text);
      case "incomplete":
        throw new UsageError(`'${said.words}' needs ${said.needs}; see 'choir ask "help ${said.words.split(" ")[0]}"'`);
      case "nothing":
        throw new UsageError("say what you want; 'choir ask help' lists what can be said");
      default:
        return obey(call, said);
    }
  },
};

/** In a conversation it is told as it stands: "undo" may be what answers a question. */
function saidIn({ options, words }: CommandCall): ReturnType<typeof parseBar> {
  const text = words.join(" ").trim();
  if (options.in !== undefined && text !== "") return { do: "ask", text };
  return text === "?" ? { do: "help" } : parseBar(text, new Date());
}

/** Whoever asks to be shown what would be done must not find it done. */
function refuseChoices(options: CommandCall["options"], said: ReturnType<typeof parseBar>): void {
  const given = Object.keys(TAKING_BACK.options).find((name) => options[name] !== undefined);
  if (given === undefined || TAKES_BACK.includes(said.do)) return;
  throw new UsageError(`--${given} is for what takes something back (undo, redo, go back to WHEN): nothing was done`);
}

const TAKES_BACK = ["undo", "redo", "go-back"];

function obey(call: CommandCall, said: Said): Promise<ExitCode> {
  switch (said.do) {
    case "undo":
      return takeLastBack(call, "undo", typeof said.target === "string" ? undefined : said.target);
    case "redo":
      return takeLastBack(call, "redo");
    case "go-back":
      return goBack(call, said.to);
    case "run":
      return exec.run({ ...call, options: {}, words: ["sh", "-c", said.line] });
    case "export":
      return exportCommand.run({ ...call, words: [exportName(call.user(), new Date())] });
    case "find":
      return findPaths(call, said.text);
    case "files":
      return files.run({ ...call, options: {}, words: said.folder === undefined ? [] : [said.folder] });
    case "new-doc":
      return makeDocument(call, said.name);
    case "new-folder":
      return makeFolder(call, said.name);
    case "theme":
      return changeScheme(call, said.scheme);
    case "wallpaper":
      return changeWallpaper(call, said.file);
    case "help":
      return barHelp(call, said.word);
    default:
      throw new CommandError(`'${call.words.join(" ")}' is for the desktop: 'choir start' prints where that is`);
  }
}

async function takeLastBack(call: CommandCall, what: "undo" | "redo", named?: Target): Promise<ExitCode> {
  const target = named ?? (await lastAction(call, what));
  if (target === undefined) throw new CommandError(`there is nothing to ${what}: 'choir events' shows what happened`);
  const [[kind, id] = []] = Object.entries(target);
  const it = kind === "seq" ? `event ${id}` : `${kind}:${id}`;
  return takeBack(
    call,
    target,
    (paths) => `${what === "undo" ? "Took back" : "Did again, by taking back"} ${it} (${paths})`,
  );
}

async function goBack(call: CommandCall, to: When): Promise<ExitCode> {
  const since = "event" in to ? to.event : await eventAt(call, to.time);
  if (since === undefined) throw new CommandError("this computer isn't that old: 'choir events' shows when it began");
  return takeBack(call, { since }, (paths) => `Went back to event ${since} (${paths})`);
}

/** In the folder that one stands in, by the day and the time: never one that is there already. */
function exportName(user: string, now: Date): string {
  return `${user}-${now.toISOString().replace(/[:.]/g, "-").slice(0, 19)}.choir`;
}
