import { describeEvent, Id } from "@choiros/contract";
import { type Attended, attend, type Heard } from "@choiros/gateway/operations";
import { serverRuns } from "../access/server-runs.ts";
import { UsageError } from "../command-error.ts";
import { ask } from "./ask.ts";
import type { CommandCall, ExitCode, Terminal } from "./command.ts";
import { Passing } from "./passing.ts";
import { oneLine, shorten } from "./plain.ts";
import { UNREAD, unread } from "./unread.ts";

/**
 * An ask that no command answers is the Director's. What happens is told at the side as it comes, the answer comes out.
 * Where no model could answer it, it isn't kept: nobody would come to it.
 */
export async function askDirector(call: CommandCall, text: string): Promise<ExitCode> {
  const { json, options, terminal } = call;
  const conversation = conversationOf(options.in);
  let changed = false;
  const side = new Side(terminal);
  const item = (heard: Heard) => {
    changed ||= isChange(heard);
    return json ? terminal.out(JSON.stringify(heard)) : tellHeard(call, side, heard);
  };
  // What happens is told at the side: where nobody reads that, the ask is stopped as by Ctrl-C.
  const unheard = json ? undefined : terminal.asideUnread;
  const signal = unheard === undefined ? terminal.signal : AbortSignal.any([terminal.signal, unheard]);
  const attended = await ask(
    { ...call, terminal: { ...terminal, signal } },
    attend,
    { text, ...conversation },
    { item },
  )
    .catch(unread)
    .finally(() => side.end());
  if (attended === "unread") {
    terminal.aside("choir: nobody reads what comes any more: the ask was stopped; what it had done stays");
    return UNREAD;
  }
  if (!attended.ok) {
    if (json) await terminal.out(JSON.stringify(attended));
    terminal.aside(`choir: ${attended.why}. What you said was not kept: nobody here would wait for the answer.`);
    terminal.aside(
      "In the desktop words are kept, and wait for a model. What needs no model is done here: 'choir ask help' lists it.",
    );
    return 1;
  }
  const exit =
    unheard?.aborted === true && !DONE.includes(attended.status) ? UNREAD : exitOf(attended, terminal.signal);
  const outcome = { ...attended, ok: exit === 0, call: attended.ask };
  const told = json ? terminal.out(JSON.stringify(outcome)) : tellEnd(call, attended, changed);
  await told.catch(unread); // whoever reads it, it came to its end
  return exit;
}

function conversationOf(option: CommandCall["options"][string]): { readonly conversation?: Id } {
  if (typeof option !== "string") return {};
  const id = Id.safeParse(option);
  if (id.success) return { conversation: id.data };
  throw new UsageError(`--in takes the id of a conversation, not '${option}'`);
}

/** Lines that would say nothing of the work, or are told at the end. */
const QUIET = [
  "ask.answered",
  "ask.paused",
  "ask.started",
  "model.asked",
  "model.call",
  "task.approved",
  "task.started",
  "window.focus",
];
const LINE_CHARACTERS = 160;
const REASON_CHARACTERS = 1000;

/** What happens, at the side: each line of it begins one, wherever a command stopped writing. */
class Side {
  readonly #terminal: Terminal;
  #passing: Passing | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  output(text: string): Promise<void> {
    this.#passing ??= new Passing(this.#terminal, false);
    return this.#passing.aside(Buffer.from(text));
  }

  async line(text: string): Promise<void> {
    await this.end();
    this.#terminal.aside(text);
  }

  async end(): Promise<void> {
    await this.#passing?.end();
    this.#passing = undefined;
  }
}

async function tellHeard({ home }: CommandCall, side: Side, heard: Heard): Promise<void> {
  if ("output" in heard) return side.output(heard.output);
  if ("waits" in heard) return side.line(oneLine(`It waits: ${heard.waits}`));
  if ("text" in heard || QUIET.includes(heard.event.type)) return;
  if (heard.event.type === "tool.result" && heard.event.payload.status === "ok") return;
  const { text, detail } = describeEvent(heard);
  const most = heard.event.type === "tool.result" ? REASON_CHARACTERS : LINE_CHARACTERS; // why it came to nothing, whole
  await side.line(shorten(oneLine(detail === undefined ? text : `${text} (${detail})`), most));
  // Without a server there is no console: the ask is paused by it, which says what to do.
  if (heard.event.type === "approval.asked" && (await serverRuns(home)))
    await side.line("That is for you to answer, in the console.");
}

/** Whether there is something to take back: windows are nobody's work. */
function isChange(heard: Heard): boolean {
  if (!("event" in heard) || heard.event.type.startsWith("window.")) return false;
  return "changes" in heard.event.payload || "list" in heard.event.payload;
}

async function tellEnd({ terminal }: CommandCall, attended: Attended, changed: boolean): Promise<void> {
  const { answer, ask: id, conversation, detail, question, status } = attended;
  const asked = question === null ? [] : [question.text, ...question.choices.map((one) => `- ${one}`)];
  for (const line of [...(answer?.split("\n") ?? []), ...asked]) await terminal.out(line);
  if (question !== null) {
    terminal.aside(`Answer it with: choir ask --in ${conversation} "…"`);
  }
  const words = PAUSES[status] ?? (status === "given-up" ? "It gave up" : undefined);
  if (words !== undefined)
    terminal.aside(
      shorten(oneLine(detail === null || detail === "" ? words : `${words}: ${detail}`), REASON_CHARACTERS),
    );
  if (status === "steered") terminal.aside("It was told to what runs in that conversation.");
  if (status in PAUSES)
    terminal.aside(
      `It is paused: resume it in the desktop, under Asks, or say more with: choir ask --in ${conversation} "…"`,
    );
  terminal.aside(changed ? `${costOf(attended)}; 'choir undo ask:${id}' takes back what it did` : costOf(attended));
}

const PAUSES: Readonly<Record<string, string>> = {
  failed: "It could not go on",
  interrupted: "It was interrupted",
  limit: "It reached a limit",
  stopped: "Stopped",
};

function costOf({ cost_unknown, cost_usd, tokens_in, tokens_out }: Attended): string {
  const known = `$${cost_usd.toFixed(4)}`;
  const some = cost_usd > 0 ? `${known} and more` : "cost unknown";
  return `${tokens_in + tokens_out} tokens, ${cost_unknown ? `${some}, so no limit in USD holds` : known}`;
}

const DONE: readonly string[] = ["done", "steered"];

function exitOf({ status }: Attended, signal: AbortSignal): ExitCode {
  if (DONE.includes(status)) return 0;
  return signal.aborted ? 130 : 1;
}
