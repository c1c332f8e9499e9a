import type { Computer } from "@choiros/computer";
import {
  type AskValue,
  type ContentRef,
  type Envelope,
  Id,
  isDemo,
  newId,
  recognise,
  type Signal,
} from "@choiros/contract";
import type { Signals } from "@choiros/log";
import { z } from "zod";
import { AskedKey } from "./asked-key.ts";
import { momentOf } from "./moment-of.ts";
import { computerAt, operation, type Work } from "./operation.ts";
import { OperationError } from "./operation-error.ts";
import { Moment, Seq } from "./shapes.ts";

/** What happens for an ask: each of its events, what is said and written meanwhile, and why nothing goes on. */
const Heard = z.union([
  Moment,
  z.strictObject({ text: z.string() }),
  z.strictObject({ output: z.string() }),
  z.strictObject({ waits: z.string() }),
]);
export type Heard = z.infer<typeof Heard>;

const Attended = z.strictObject({
  /** The Director's words; `null` where there are none. */
  answer: z.string().nullable(),
  ask: Id,
  conversation: z.string().nullable(),
  cost_unknown: z.boolean(),
  cost_usd: z.number(),
  /** Why it paused, or its last task came to nothing. */
  detail: z.string().nullable(),
  ok: z.literal(true),
  question: z.strictObject({ choices: z.array(z.string()), text: z.string() }).nullable(),
  /** The last event that was heard of it. */
  seq: Seq,
  status: z.string(),
  tokens_in: z.int(),
  tokens_out: z.int(),
});
export type Attended = z.infer<typeof Attended>;

const Nobody = z.strictObject({ ok: z.literal(false), why: z.string() });

/** After these there is nothing to wait for, unless the user does something. */
const LAST: readonly string[] = ["ask.answered", "ask.left", "ask.paused", "ask.steered", "ask.wondered"];
/** So long after it was to stop the answer is waited for. */
const PATIENCE_MS = 5000;

/** Says what the user wants, and follows it until it is answered or waits for them. Whoever stops it stops the ask. */
export const attend = operation({
  name: "attend",
  command: "ask",
  request: z.strictObject({
    conversation: Id.exactOptional(),
    paths: z.array(AskedKey).max(100).exactOptional(),
    text: z.string(),
  }),
  item: Heard,
  answer: z.union([Attended, Nobody]),
  makes: "first",
  tellsWait: true,
  answersStopped: true,
  async run(place, { text, ...about }, work) {
    const computer = await computerAt(place);
    const readiness = await place.agents?.(isDemo(text));
    const signals = place.signals?.();
    if (readiness === undefined || signals === undefined)
      return { ok: false as const, why: "nobody answers asks here: start the server with 'npm start'" };
    if (!readiness.ready) return { ok: false as const, why: readiness.why };
    await checkConversation(computer, about.conversation);
    const id = work.id ?? newId();
    const heard = new Hearing(id, work);
    const deaf = signals.listen((signal) => heard.signal(signal));
    try {
      const said = await computer.say(text, { ...about, id });
      if (!said.ok) throw new OperationError("message" in said ? said.message : "it can't be said");
      const seq = await follow(computer, signals, said.seq, heard);
      return await attended(computer, heard.ask, seq);
    } finally {
      deaf();
    }
  },
});

/** Whoever mistypes one would begin another, where nothing is known of what they mean. */
async function checkConversation({ log }: Computer, conversation: Id | undefined): Promise<void> {
  if (conversation === undefined) return;
  for await (const _ of log.read({ cause: { conversation }, limit: 1 })) return;
  const how = "'choir events --type message --json' shows which there are";
  throw new OperationError(`conversation ${conversation} is not in the log: ${how}`);
}

/** Hands on what happens for one ask, in order. */
class Hearing {
  readonly work: Work<Heard>;
  /** Another one, once that goes on with what was said. */
  ask: Id;
  #told: Promise<void> = Promise.resolve();
  #last: Heard | undefined;

  constructor(ask: Id, work: Work<Heard>) {
    this.ask = ask;
    this.work = work;
  }

  async event({ contents }: Computer, event: Envelope): Promise<void> {
    await this.#told; // what was said before it
    if (!this.work.signal.aborted) await this.work.item(await momentOf(contents, event));
  }

  signal(signal: Signal): void {
    const heard = signal.cause?.ask === this.ask ? heardOf(signal) : undefined;
    if (heard === undefined || isSameWait(heard, this.#last)) return;
    this.#last = heard;
    this.#told = this.#told.then(() => this.work.item(heard)).catch(() => {}); // nobody listens any more: the log has it
  }
}

/** It is told again as long as it lasts, for whoever comes later. */
function isSameWait(heard: Heard, last: Heard | undefined): boolean {
  return "waits" in heard && last !== undefined && "waits" in last && heard.waits === last.waits;
}

function heardOf({ payload: { text, why }, type }: Signal): Heard | undefined {
  if (type === "agent.wait" && typeof why === "string") return { waits: why };
  if (typeof text !== "string") return undefined;
  if (type === "agent.text") return { text };
  return type === "tool.output" ? { output: text } : undefined;
}

/** The last event of it by then. */
async function follow(computer: Computer, signals: Signals, said: number, heard: Hearing): Promise<number> {
  const { work } = heard;
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    signals.send({ type: "ask.stop", cause: { ask: heard.ask }, payload: {} });
    timer = setTimeout(() => over.abort(), PATIENCE_MS);
  };
  work.signal.addEventListener("abort", stop, { once: true });
  if (work.signal.aborted) stop();
  let last = said;
  try {
    for await (const event of computer.log.subscribe({ from: said + 1, signal: over.signal })) {
      if (event.cause?.ask !== heard.ask) continue;
      last = event.seq;
      await heard.event(computer, event);
      const asking = await askingBefore(computer, event, said);
      if (asking === undefined && LAST.includes(event.type)) break;
      heard.ask = asking ?? heard.ask;
    }
  } finally {
    clearTimeout(timer);
    work.signal.removeEventListener("abort", stop);
  }
  return last;
}

/** Whose question it was that was answered: that one goes on. What only steers one that runs is told, and is over. */
async function askingBefore({ log }: Computer, event: Envelope, said: number): Promise<Id | undefined> {
  const known = recognise(event);
  if (!known.ok || known.value.type !== "ask.steered") return undefined;
  const { into } = known.value.payload;
  let last = "";
  for await (const { type } of log.read({ cause: { ask: into }, to: said, types: [...LAST, "model.asked"] }))
    last = type;
  return last === "ask.wondered" ? into : undefined;
}

async function attended(computer: Computer, ask: Id, seq: number): Promise<Attended> {
  const { pages } = await computer.rows("ask", { under: ask });
  for await (const rows of pages) {
    const row = rows.find(({ key }) => key === ask);
    if (row === undefined) continue;
    const value = row.value as AskValue; // only the contract's reducers write it
    const { conversation, cost_unknown, cost_usd, detail, question, status, tokens_in, tokens_out } = value;
    const paid = { cost_unknown, cost_usd, tokens_in, tokens_out };
    const asked = question === null ? null : { choices: [...question.choices], text: question.text };
    const answer = value.answer === null ? null : await textOf(computer, value.answer.hash);
    const why = status === "given-up" ? await whyGivenUp(computer, ask) : detail;
    return { ok: true, answer, ask, conversation, detail: why, question: asked, seq, status, ...paid };
  }
  throw new OperationError("the ask isn't in the state: 'choir verify' says what is wrong");
}

/** Why its last task came to nothing; `null` where that isn't so. */
async function whyGivenUp(computer: Computer, ask: Id): Promise<string | null> {
  let why: ContentRef | string | null = null;
  for await (const event of computer.log.read({ cause: { ask }, types: ["task.denied", "task.finished"] })) {
    const known = recognise(event);
    if (!known.ok) continue;
    const { payload, type } = known.value;
    if (type === "task.denied") why = payload.reason ?? null;
    if (type === "task.finished") why = payload.status === "ok" ? null : payload.summary;
  }
  return why === null || typeof why === "string" ? why : textOf(computer, why.hash);
}

async function textOf({ contents }: Computer, hash: string): Promise<string> {
  const bytes = await contents.get(hash);
  if (bytes === undefined) throw new OperationError("the answer's text is gone: 'choir verify' says why");
  return Buffer.concat(await Array.fromAsync(bytes)).toString();
}
