import { describeEvent, Id } from "@choiros/contract";
import { type Attended, attend, type Heard } from "@choiros/gateway/operations";
import { UsageError } from "../command-error.ts";
import { ask } from "./ask.ts";
import type { CommandCall, ExitCode } from "./command.ts";
import { plain, shorten } from "./plain.ts";

/**
 * An ask that no command answers is the Director's. What happens is told at the side as it comes, the answer comes out.
 * Where no model could answer it, it isn't kept: nobody would come to it.
 */
export async function askDirector(call: CommandCall, text: string): Promise<ExitCode> {
  const { json, options, terminal } = call;
  const conversation = conversationOf(options.in);
  let changed = false;
  const item = (heard: Heard) => {
    changed ||= isChange(heard);
    return json ? terminal.out(JSON.stringify(heard)) : tellHeard(call, heard);
  };
  const attended = await ask(call, attend, { text, ...conversation }, { item });
  if (!attended.ok) {
    if (json) await terminal.out(JSON.stringify(attended));
    terminal.aside(`choir: ${attended.why}. What you said was not kept: nobody here would wait for the answer.`);
    terminal.aside(
      "In the desktop words are kept, and wait for a model. What needs no model is done here: 'choir ask help' lists it.",
    );
    return 1;
  }
  if (json) await terminal.out(JSON.stringify({ ...attended, call: attended.ask }));
  else await tellEnd(call, attended, changed);
  return exitOf(attended, terminal.signal);
}

function conversationOf(option: CommandCall["options"][string]): { readonly conversation?: Id } {
  if (typeof option !== "string") return {};
  const id = Id.safeParse(option);
  if (id.success) return { conversation: id.data };
  throw new UsageError(`--in takes the id of a conversation, not '${option}'`);
}

/** Lines that would say nothing of the work. */
const QUIET = [
  "ask.answered",
  "ask.started",
  "model.asked",
  "model.call",
  "task.approved",
  "task.started",
  "window.focus",
];
const LINE_CHARACTERS = 160;

async function tellHeard({ terminal }: CommandCall, heard: Heard): Promise<void> {
  if ("output" in heard)
    return terminal.asideBytes(Buffer.from(terminal.asideScreen ? plainLines(heard.output) : heard.output));
  if ("waits" in heard) return terminal.aside(plain(`It waits: ${heard.waits}`));
  if ("text" in heard || QUIET.includes(heard.event.type)) return;
  if (heard.event.type === "tool.result" && heard.event.payload.status === "ok") return;
  const { text, detail } = describeEvent(heard);
  terminal.aside(shorten(plain(detail === undefined ? text : `${text} (${detail})`), LINE_CHARACTERS));
  if (heard.event.type === "approval.asked") terminal.aside("It waits for your answer, in the console.");
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
  if (detail !== null) terminal.aside(plain(`${WORDS[status] ?? status}: ${detail}`));
  if (status === "steered") terminal.aside("It was told to what runs in that conversation.");
  if (status in WORDS)
    terminal.aside(
      `It is paused: resume it in the desktop, under Asks, or say more with: choir ask --in ${conversation} "…"`,
    );
  terminal.aside(changed ? `${costOf(attended)}; 'choir undo ask:${id}' takes back what it did` : costOf(attended));
}

const WORDS: Readonly<Record<string, string>> = {
  failed: "It could not go on",
  interrupted: "It was interrupted",
  limit: "It reached a limit",
  stopped: "Stopped",
};

function costOf({ cost_unknown, cost_usd, tokens_in, tokens_out }: Attended): string {
  const cost = cost_unknown ? "cost unknown, so no limit in USD holds" : `$${cost_usd.toFixed(4)}`;
  return `${tokens_in + tokens_out} tokens, ${cost}`;
}

const DONE: readonly string[] = ["done", "steered"];

function exitOf({ status }: Attended, signal: AbortSignal): ExitCode {
  if (DONE.includes(status)) return 0;
  return signal.aborted ? 130 : 1;
}

function plainLines(text: string): string {
  return text.split("\n").map(plain).join("\n");
}
