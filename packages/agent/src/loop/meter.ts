import type { Change } from "@choiros/computer";
import type { Id, Payload } from "@choiros/contract";
import type { Limit } from "../lease/policy.ts";
import type { Chapter } from "./chapter.ts";
import type { Halt } from "./halt.ts";
import { type Written, writtenBy, writtenIn } from "./written.ts";

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

  wrote({ keys, files, bytes }: Written): void {
    this.bytes += bytes;
    if (files > keys.length) this.#many += files;
    else for (const key of keys) this.#keys.add(key);
  }

  /** What it would come to with this. A path that was changed before counts once. */
  with({ keys, files, bytes }: Written): Pick<Spent, "bytes" | "files"> {
    const more = files > keys.length ? files : keys.filter((key) => !this.#keys.has(key)).length;
    return { bytes: this.bytes + bytes, files: this.files + more };
  }
}

interface Scope {
  readonly name: "task" | "ask" | "day";
  readonly may: () => Allowance;
  readonly spent: () => Spent;
}

const WORDS = {
  steps: (most: number) => amount(most, "step"),
  tokens: (most: number) => amount(most, "token"),
  cost_usd: (most: number) => `${most} USD`,
  files: (most: number) => (most === 1 ? "1 changed file or folder" : `${most} changed files and folders`),
  bytes: (most: number) => amount(most, "written byte"),
} as const;

export function amount(many: number, one: string): string {
  return `${many} ${many === 1 ? one : `${one}s`}`;
}

/** What grows with each tool that is called, not with each answer of a model. All of it may be used: what is more isn't written. */
export const WRITTEN = ["files", "bytes"] as const;

/** Holds what is used against what may be, for everything that the work belongs to at once. */
export class Meter {
  readonly #look: () => Promise<void>;
  readonly #scopes: readonly Scope[];
  /** Calls that may go on, each with the last of its events that was counted. */
  readonly #open = new Map<Id, number>();
  #counted: Promise<void> = Promise.resolve();
  #refused: Halt | undefined;

  /** `look` brings what may be used up to date. */
  constructor(look: () => Promise<void>, ...scopes: readonly Scope[]) {
    this.#look = look;
    this.#scopes = scopes;
  }

  within(scope: Scope): Meter {
    return new Meter(this.#look, scope, ...this.#scopes);
  }

  pay(call: Payload<"model.call">, guess: Guess): void {
    for (const { spent } of this.#scopes) spent().pay(call, guess);
  }

  /** Makes a call. What it changes is counted as the log says; also what it changes later, where it goes on by itself. */
  async attend<Told>(chapter: Chapter, call: Id, make: () => Promise<Told>): Promise<Told> {
    this.#open.set(call, 0);
    const told = await make();
    await this.catchUp(chapter);
    return told;
  }

  /** Counts what calls left since, and looks what they may by now. */
  async catchUp(chapter: Chapter): Promise<void> {
    this.#counted = this.#counted.catch(() => {}).then(() => this.#count(chapter)); // nothing is counted twice
    await this.#counted;
    await this.#look();
  }

  async #count(chapter: Chapter): Promise<void> {
    for (const [call, last] of this.#open) {
      for await (const event of chapter.read({ from: last + 1, cause: { call } })) {
        const written = await writtenBy(chapter.computer, event);
        if (written !== undefined) for (const { spent } of this.#scopes) spent().wrote(written);
        if (event.type === "tool.result") this.#open.delete(call);
        else this.#open.set(call, event.seq);
      }
    }
  }

  /** Whether this may still be written: why not, where it is more than is left. Then that limit is reached. */
  async mayLand(chapter: Chapter, changes: readonly Change[]): Promise<string | undefined> {
    await this.catchUp(chapter);
    const written = writtenIn(changes);
    for (const { name, may, spent } of this.#scopes) {
      const all = spent().with(written);
      for (const what of WRITTEN) {
        const most = may()[what];
        if (all[what] <= most) continue;
        const beyond = `what was to come next makes it ${all[what]}, and none of that was kept`;
        this.#refused ??= reached(name, WORDS[what](most), beyond);
        return `with it the ${name} would come to ${WORDS[what](all[what])}, and its limit is ${most}`;
      }
    }
    return undefined;
  }

  /** The limit that something was too much for. */
  get refused(): Halt | undefined {
    return this.#refused;
  }

  /** The first limit that is reached, and how to go on. */
  over(kinds: readonly (keyof Allowance)[] = ["steps", "tokens", "cost_usd", ...WRITTEN]): Halt | undefined {
    if (this.#refused !== undefined) return this.#refused;
    for (const { name, may, spent } of this.#scopes) {
      for (const what of kinds) {
        const [most, used] = [may()[what], spent()[what]];
        if (used > most || (used === most && !isWritten(what))) return reached(name, WORDS[what](most));
      }
    }
    return undefined;
  }
}

function isWritten(what: keyof Allowance): boolean {
  return what === "files" || what === "bytes";
}

/** As a sentence that says how to go on. */
export function reached(name: Scope["name"], limit: string, beyond?: string): Halt {
  const how = {
    task: `What it did by then stands.${beyond === undefined ? "" : " The user can raise the limit in policy.toml."}`,
    ask: "What it did by then stands. Resume it to go on with as much again, or raise the limit in policy.toml.",
    day: "What it did by then stands. Raise the limit of a day in policy.toml, or resume it tomorrow.",
  }[name];
  const whose = { task: "The task", ask: "The ask", day: "The day" }[name];
  return {
    halt: "limit",
    scope: name === "task" ? "task" : "ask",
    detail: `${whose} reached its limit of ${limit}${beyond === undefined ? "" : `: ${beyond}`}. ${how}`,
  };
}
