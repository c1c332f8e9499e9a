import type { Computer } from "@choiros/computer";
import { ChangeList, type Id, type KnownEvent, type Payload, pathKey } from "@choiros/contract";
import type { Limit } from "../lease/policy.ts";
import { type Chapter, textOf } from "./chapter.ts";
import type { Halt } from "./halt.ts";

/** How much one task, one ask or one day may use. Time is kept by a clock. */
type Allowance = Omit<Limit, "time_s">;

/** Tokens of a call, by the size of what was sent and received. */
export interface Guess {
  readonly in: number;
  readonly out: number;
}

/** What was used. */
export class Spent {
  steps = 0;
  tokens = 0;
  cost_usd = 0;
  bytes = 0;
  /** Of the time that was worked. */
  seconds = 0;
  #many = 0;
  readonly #keys = new Set<string>();

  get files(): number {
    return this.#keys.size + this.#many;
  }

  /** Where the provider didn't count tokens, they are what they are guessed to be. */
  pay({ cost_usd, tokens_in, tokens_out }: Payload<"model.call">, guess: Guess): void {
    this.steps += 1;
    this.tokens += (tokens_in ?? guess.in) + (tokens_out ?? guess.out);
    this.cost_usd += cost_usd ?? 0;
  }

  wrote(keys: readonly string[], bytes: number): void {
    this.bytes += bytes;
    // Whoever changes more than this at once is counted, not remembered.
    if (keys.length > 1000) this.#many += keys.length;
    else for (const key of keys) this.#keys.add(key);
  }
}

interface Scope {
  readonly name: "task" | "ask" | "day";
  readonly may: Allowance;
  readonly spent: Spent;
}

const WORDS = {
  steps: (most: number) => `${most} steps`,
  tokens: (most: number) => `${most} tokens`,
  cost_usd: (most: number) => `${most} USD`,
  files: (most: number) => `${most} changed files`,
  bytes: (most: number) => `${most} written bytes`,
} as const;

/** What grows with each tool that is called, not with each answer of a model. */
export const WRITTEN = ["files", "bytes"] as const;

/** Holds what is used against what may be, for everything that the work belongs to at once. */
export class Meter {
  readonly #scopes: readonly Scope[];
  /** Calls that may go on, each with the last of its events that was counted. */
  readonly #open = new Map<Id, number>();

  constructor(...scopes: readonly Scope[]) {
    this.#scopes = scopes;
  }

  within(scope: Scope): Meter {
    return new Meter(scope, ...this.#scopes);
  }

  pay(call: Payload<"model.call">, guess: Guess): void {
    for (const { spent } of this.#scopes) spent.pay(call, guess);
  }

  /** What a call changed, as the log says; also what it changes later, where it goes on in the background. */
  async count(chapter: Chapter, call: Id): Promise<void> {
    this.#open.set(call, 0);
    await this.catchUp(chapter);
  }

  /** Counts what calls in the background left since. */
  async catchUp(chapter: Chapter): Promise<void> {
    for (const [call, last] of this.#open) {
      for await (const event of chapter.read({ from: last + 1, cause: { call } })) {
        const changed = await changedBy(chapter.computer, event);
        if (changed !== undefined) for (const { spent } of this.#scopes) spent.wrote(changed.keys, changed.bytes);
        if (event.type === "tool.result") this.#open.delete(call);
        else this.#open.set(call, event.seq);
      }
    }
  }

  /** The first limit that is reached, and how to go on. */
  over(kinds: readonly (keyof Allowance)[] = ["steps", "tokens", "cost_usd", ...WRITTEN]): Halt | undefined {
    for (const { name, may, spent } of this.#scopes) {
      for (const what of kinds) {
        const most = may[what];
        if (spent[what] >= most) return reached(name, WORDS[what](most));
      }
    }
    return undefined;
  }
}

/** The paths that an event changed, and how many bytes stand there now; `undefined` where it isn't about files. */
export async function changedBy(computer: Computer, { payload }: KnownEvent) {
  if (!("changes" in payload || "list" in payload)) return undefined;
  const changes =
    "list" in payload ? ChangeList.parse(JSON.parse(await textOf(computer, payload.list))) : payload.changes;
  const paths = changes.flatMap((change) => ("path" in change ? [change] : []));
  const bytes = paths.reduce((sum, { after }) => sum + (after !== null && "size" in after ? after.size : 0), 0);
  return { keys: paths.map(({ path }) => pathKey(path)), bytes };
}

/** As a sentence that says how to go on. */
export function reached(name: Scope["name"], limit: string): Halt {
  const how = {
    task: "What it did by then stands.",
    ask: "What it did by then stands. Resume it to go on with as much again, or raise the limit in policy.toml.",
    day: "What it did by then stands. Raise the limit of a day in policy.toml, or resume it tomorrow.",
  }[name];
  const whose = { task: "The task", ask: "The ask", day: "The day" }[name];
  return {
    halt: "limit",
    scope: name === "task" ? "task" : "ask",
    detail: `${whose} reached its limit of ${limit}. ${how}`,
  };
}
