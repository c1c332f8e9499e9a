import type { Computer } from "@choiros/computer";
import { type Cause, type DirectorTask, type Draft, newId, type Payload } from "@choiros/contract";
import type { Signals } from "@choiros/log";
import type { Locator } from "playwright-core";
import { type OpenDesk, say, windowOf } from "./desk.ts";

type Type = Draft["type"];

/** What agents append, and signal, for one ask: by the same ways, in the same order. */
export class Playing {
  readonly ask: string;
  readonly cause: Cause;
  readonly #computer: Computer;
  readonly #signals: Signals;
  #task: string | undefined;

  constructor({ computer, signals }: { computer: Computer; signals: Signals }, ask: string, conversation = ask) {
    this.#computer = computer;
    this.#signals = signals;
    this.ask = ask;
    this.cause = { ask, conversation };
  }

  /** An ask that the user has just said. */
  static async begun(seat: { computer: Computer; signals: Signals }, text: string): Promise<Playing> {
    const said = await seat.computer.say(text);
    if (!said.ok) throw new Error(said.message);
    const playing = new Playing(seat, said.call);
    await playing.append("ask.started", { attempt: 1 });
    return playing;
  }

  get #own(): Cause {
    return this.#task === undefined ? this.cause : { ...this.cause, task: this.#task };
  }

  async append<T extends Type>(type: T, payload: Payload<T>, cause: Cause = this.#own): Promise<void> {
    const draft = { source: "agent", type, cause, payload } as Draft; // the two belong together by their type
    const appended = await this.#computer.log.append(draft);
    if (!appended.ok) throw new Error(appended.message);
  }

  content(text: string) {
    return this.#computer.contents.put(Buffer.from(text));
  }

  async plan(instruction: string, more: Partial<DirectorTask> = {}): Promise<string> {
    const task = newId();
    const plan: DirectorTask = {
      ...{ acceptance_criteria: [], allowed_tools: ["read_file", "edit_file", "write_file", "bash"], egress: "none" },
      ...{ instruction, kind: "edit", paths: ["workspace/site"], task_id: task, time_budget_s: 300, verify: [] },
      ...{ cost_budget: 0.5, ...more },
    };
    await this.append("task.planned", plan, this.cause);
    return task;
  }

  async start(task: string): Promise<void> {
    this.#task = task;
    await this.append("task.started", { attempt: 1 });
  }

  async finish(status: Payload<"task.finished">["status"] = "ok", summary = "It is done."): Promise<void> {
    await this.append("task.finished", {
      ...{ citations: [], commands_run: [], files_changed: [], questions: [], status, verify: [] },
      summary: await this.content(summary),
    });
    this.#task = undefined;
  }

  /** A tool that was called and hasn't ended; returns its call. */
  async call(tool: string, input: object, call = newId()): Promise<string> {
    await this.append("tool.call", { input: await this.content(JSON.stringify(input)), tool }, { ...this.#own, call });
    return call;
  }

  async end(call: string, more: Partial<Payload<"tool.result">> & { text?: string } = {}): Promise<void> {
    const { text, ...rest } = more;
    const output = text === undefined ? {} : { output: await this.content(text) };
    await this.append("tool.result", { status: "ok", ...rest, ...output }, { ...this.#own, call });
  }

  async read(path: string): Promise<void> {
    await this.end(await this.call("read_file", { path }), { text: "1 …" });
  }

  async edit(path: string, text: string): Promise<string> {
    const call = await this.call("edit_file", { path, edits: [] });
    const cause = { ...this.#own, call };
    const wrote = await this.#computer.write(`workspace/${path}`, Buffer.from(text), { cause, source: "agent" });
    if (!wrote.ok) throw new Error(wrote.message);
    await this.end(call);
    return call;
  }

  run(line: string): Promise<string> {
    return this.call("exec", { argv: ["bash", "-c", line], cwd: "workspace" });
  }

  async pay(usd: number | null): Promise<void> {
    await this.append("model.call", {
      ...{ cost_usd: usd, duration_ms: 900, model: "scripted", provider: "script", role: "associate", status: "ok" },
      ...{ request: await this.content("{}"), response: await this.content("{}"), tokens_in: 1200, tokens_out: 300 },
    });
  }

  say(text: string): void {
    this.#signals.send({ type: "agent.text", cause: this.#own, payload: { text } });
  }

  async answer(text: string, look: string[] = [], status: "done" | "given-up" = "done"): Promise<void> {
    this.#task = undefined;
    await this.append("ask.answered", { answer: await this.content(text), look, status });
  }

  async pause(why: Payload<"ask.paused">["why"], detail = ""): Promise<void> {
    await this.append("ask.paused", { detail, why }, this.cause);
  }
}

/** Opens an ask from the list of all. */
export async function openAsk(here: OpenDesk, title: string): Promise<Locator> {
  await say(here, "asks");
  await (await windowOf(here, "Asks")).getByRole("button", { name: title }).click();
  return windowOf(here, title);
}

/** The ids of all that was asked, in order. */
export async function asksOf({ computer }: { computer: Computer }): Promise<string[]> {
  const { pages } = await computer.rows("ask");
  return (await Array.fromAsync(pages)).flat().map(({ key }) => key);
}
