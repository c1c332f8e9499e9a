import { plainText } from "@choiros/contract";
import { Eye, FilePen, type LucideIcon, SquareTerminal, Wrench } from "lucide-react";
import { durationWords } from "../../asks/ask-words.ts";
import { count } from "../../words.ts";
import type { CallStep, Step } from "./course.ts";
import { filesIn } from "./edits.ts";

type CallKind = "command" | "edit" | "look" | "other";

interface CallWords {
  readonly kind: CallKind;
  readonly icon: LucideIcon;
  /** What was done; without it, what it was done with says all. */
  readonly verb?: string;
  readonly about: string;
}

const ICONS: Readonly<Record<CallKind, LucideIcon>> = {
  command: SquareTerminal,
  edit: FilePen,
  look: Eye,
  other: Wrench,
};

/** What was done, and what was to be where it wasn't. */
const VERBS: Readonly<Record<string, readonly [did: string, wanted: string]>> = {
  job_output: ["Looked at what a command wrote", "Wanted to look at what a command wrote"],
  job_stop: ["Stopped a command", "Wanted to stop a command"],
  list_files: ["Listed", "Wanted to list"],
  note: ["Noted", "Wanted to note"],
  notify: ["Told you", "Wanted to tell you"],
  open_window: ["Opened a window", "Wanted to open a window"],
  read_file: ["Read", "Wanted to read"],
  search_files: ["Searched for", "Wanted to search for"],
  undo: ["Took back its own work", "Wanted to take back its own work"],
};

const KINDS: Readonly<Record<string, CallKind>> = {
  edit_file: "edit",
  exec: "command",
  list_files: "look",
  read_file: "look",
  search_files: "look",
  write_file: "edit",
};

export function callWords({ end, moment: { command }, tool }: Pick<CallStep, "end" | "moment" | "tool">): CallWords {
  const kind = KINDS[tool] ?? "other";
  const said = plainText(command?.startsWith(`${tool} `) === true ? command.slice(tool.length + 1) : (command ?? ""));
  const verb = kind === "command" || kind === "edit" ? undefined : (VERBS[tool]?.[wasDone(end) ? 0 : 1] ?? tool);
  const about = said === "" || (kind === "look" && said === ".") ? (NOTHING_SAID[kind] ?? tool) : said;
  return { kind, icon: ICONS[kind], about, ...(verb !== undefined && { verb }) };
}

function wasDone(end: CallStep["end"]): boolean {
  return end === undefined || end.payload.status === "ok";
}

/** Whether a call did what it was to do; a command, too, that says so itself. */
export function endedWell({ payload: { exit, status } }: NonNullable<CallStep["end"]>): boolean {
  return status === "ok" && (exit === undefined || exit === 0);
}

/** How a call ended, and of a command how long it took. */
export function endWords({ edits, end, moment, tool }: CallStep): string {
  if (end === undefined) return "";
  const { exit, status } = end.payload;
  const isGood = endedWell(end);
  const files = filesIn(edits);
  // What the next start alone tells of ended at a time that nobody knows.
  const isKnown = status !== "interrupted" || end.moment.event.source !== "system";
  const ms = Date.parse(end.moment.event.ts) - Date.parse(moment.event.ts);
  const words = [
    ...(isGood && files > 1 ? [count(files, "file")] : []), // one is what the card is named after
    ...(exit !== undefined ? [`exit ${exit}`] : isGood ? [] : [ENDS[status] ?? status]),
    ...(tool === "exec" ? [isKnown ? durationWords(ms) : "time unknown"] : []),
  ];
  return words.join(" · ");
}

const ENDS: Readonly<Record<string, string>> = { denied: "not allowed" };

/** What a tool is about that was called without a word on it. */
const NOTHING_SAID: Partial<Readonly<Record<CallKind, string>>> = { look: "the workspace", other: "" };

/** Calls that only looked, one after the other, are one line; unless one of them failed. */
export type Shown =
  | Exclude<Step, { is: "call" }>
  | CallStep
  | { readonly is: "looks"; readonly calls: readonly CallStep[] };

export function shownSteps(steps: readonly Step[]): Shown[] {
  const shown: Shown[] = [];
  let looks: CallStep[] = [];
  const end = () => {
    const [only] = looks;
    if (only !== undefined) shown.push(looks.length === 1 ? only : { is: "looks", calls: looks });
    looks = [];
  };
  for (const step of steps) {
    if (step.is === "call" && KINDS[step.tool] === "look" && step.end?.payload.status === "ok") looks.push(step);
    else {
      end();
      shown.push(step);
    }
  }
  end();
  return shown;
}
