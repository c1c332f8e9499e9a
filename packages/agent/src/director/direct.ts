import { type Id, type Path, type Payload, reasons } from "@choiros/contract";
import { z } from "zod";
import { carryOut } from "../associate/carry-out.ts";
import type { Lease } from "../lease/lease.ts";
import { type Answered, type Conversation, converse, type OwnTool } from "../loop/converse.ts";
import type { Crew } from "../loop/crew.ts";
import { type Halt, haltOf, isHalt } from "../loop/halt.ts";
import { recallTranscript } from "../loop/recall.ts";
import type { Transcript } from "../loop/transcript.ts";
import { inputSchema } from "../models/input-schema.ts";
import { faultOfUse, type ToolSpec, type ToolUse } from "../models/model.ts";
import { Again, type Unfit } from "./again.ts";
import type { Hearing, Said } from "./hearing.ts";
import { pathOf } from "./path-of.ts";
import { PLAN_SPEC, planned } from "./plan.ts";
import { DIRECTOR, DIRECTOR_REMINDER } from "./prompt.ts";
import { resultText } from "./result-text.ts";
import { settleLease } from "./settle-lease.ts";
import { MAX_AGAIN, readTries } from "./tries.ts";
import { whereToLook } from "./where-to-look.ts";

const SAYS_NOTHING = "must say something";
const Question = z.object({
  choices: z.array(z.string().min(1).max(200)).max(8).exactOptional(),
  question: z.string().max(4096).regex(/\S/, SAYS_NOTHING),
});
const Answer = z.object({
  look: z.array(z.string().max(4096)).max(100).default([]).describe("the paths where the person finds what came of it"),
  status: z.enum(["done", "given-up"]).default("done"),
  text: z.string().max(100_000).regex(/\S/, SAYS_NOTHING),
});

const OWN_SPECS: readonly ToolSpec[] = [
  PLAN_SPEC,
  {
    name: "ask_user",
    description: "Asks the person one question and waits for the answer.",
    input: inputSchema(Question),
  },
  {
    name: "answer",
    description: "Ends the ask with an answer to the person, as Markdown.",
    input: inputSchema(Answer),
  },
];

/** The Director only looks. */
const LOOKING: Lease = {
  allowed_tools: ["read_file", "list_files", "search_files"],
  egress: "none",
  paths: [],
  time_budget_s: 300,
  verify: [],
};

type Ended = { readonly answered: true };

/** Works at an ask, or goes on with it, until it is answered or something halts it. */
export async function direct(crew: Crew, hearing: Hearing): Promise<Ended | Halt> {
  const { costOf, director, hands, chapter, meter, pace, signal, signals } = crew;
  const work = hands.work(chapter, LOOKING, meter);
  const transcript = await recallTranscript(chapter, "director");
  // An Associate hears what the Director hasn't heard yet: it comes to the work sooner.
  const unheard = () => hearing.said().filter(({ id }) => !transcript.heard.has(id));
  const again = new Again(director.name);
  const conversation: Conversation<Ended> = {
    role: "director",
    model: director,
    system: DIRECTOR,
    tools: [...hands.dispatch.specs(work), ...OWN_SPECS],
    transcript,
    chapter,
    signals,
    meter,
    costOf,
    signal,
    dispatch: hands.dispatch,
    work,
    pace,
    own: new Map<string, OwnTool<Ended>>([
      ["plan", { run: (use, call) => again.within(plan(crew, use, call, unheard)) }],
      ["ask_user", { run: (use) => again.within(wonder(crew, hearing, transcript.heard, use)) }],
      ["answer", { run: (use) => again.within(answer(crew, hearing, transcript, use)) }],
    ]),
    reminder: DIRECTOR_REMINDER,
    opening: () => hearing.opening(),
    news: () => hearing.said(),
    spoken: async (text) => {
      if (text.trim() === "") return again.silence();
      const use = { id: "words", tool: "answer", input: { text: text.trim() } };
      const ended = await again.within(answer(crew, hearing, transcript, use));
      return "end" in ended ? ended : { say: ended.text };
    },
  };
  return converse(conversation);
}

async function answer(
  { chapter, computer }: Crew,
  hearing: Hearing,
  transcript: Transcript,
  use: ToolUse,
): Promise<Answered | Unfit | { end: Ended }> {
  const parsed = Answer.safeParse(use.input);
  if (!parsed.success) return misfit(use, parsed.error);
  if (transcript.open.length > 1) {
    return unfit("Call answer by itself, once you have seen what came of everything else.");
  }
  if (!(await hearing.close(transcript.heard))) {
    return { failed: true, text: "Not yet: the person has just said more. Take it into account, then answer." };
  }
  const { changed, failures } = await readTries(chapter);
  const named = parsed.data.look.map(pathOf).filter((path): path is Path => !isFault(path));
  const look = await whereToLook(computer, named);
  const payload: Payload<"ask.answered"> = {
    answer: await chapter.put(parsed.data.text),
    look: look.length > 0 ? look : await whereToLook(computer, changed),
    // Whatever the model says: what failed last isn't done.
    status: failures > 0 ? "given-up" : parsed.data.status,
  };
  await chapter.append("ask.answered", payload);
  return { end: { answered: true } };
}

async function plan(
  crew: Crew,
  use: ToolUse,
  call: Id,
  news: () => readonly Said[],
): Promise<Answered | Unfit | { end: Halt }> {
  const plan = planned(use.input, call, pathOf, crew.hands.limits.task);
  if (!plan.ok)
    return unfit(use.input === undefined ? `The plan ${faultOfUse(use)}` : `The plan doesn't fit: ${plan.why}`);
  const { task } = plan;
  const { failures, planned: before } = await readTries(crew.chapter);
  if (!before.has(call) && failures > MAX_AGAIN) {
    return unfit(`You have tried again ${MAX_AGAIN} times. Answer the person with what stands and what is missing.`);
  }
  const chapter = crew.chapter.within({ task: task.task_id });
  await chapter.append("task.planned", task, { id: `${call}-planned` });
  const settled = await settleLease(crew, chapter, task);
  if (isHalt(settled)) return { end: settled };
  if (!settled.ok) return { failed: true, text: `The task may not run: ${settled.reason}` };
  const result = await carryOut(crew, task, news);
  if (isHalt(result)) return { end: result };
  return { failed: result.status !== "ok", text: await resultText(chapter, task.task_id, result) };
}

/** The answer itself is told as what the user says, like everything else that they say. */
async function wonder(
  crew: Crew,
  hearing: Hearing,
  heard: ReadonlySet<string>,
  use: ToolUse,
): Promise<Answered | Unfit | { end: Halt }> {
  const parsed = Question.safeParse(use.input);
  if (!parsed.success) return misfit(use, parsed.error);
  if (!hearing.has(heard)) {
    await crew.chapter.append("ask.wondered", parsed.data);
    crew.pace.rest();
    await hearing.more(heard, crew.signal);
  }
  if (crew.signal.aborted) return { end: haltOf(crew.signal) };
  return { failed: false, text: "The person has said something: see what." };
}

function misfit(use: ToolUse, error: z.ZodError): Unfit {
  return unfit(use.input === undefined ? `The input ${faultOfUse(use)}` : `The input doesn't fit: ${reasons(error)}`);
}

function unfit(text: string): Unfit {
  return { failed: true, text, unfit: true };
}

function isFault(path: Path | { readonly why: string }): path is { readonly why: string } {
  return typeof path === "object" && "why" in path;
}
