import { Json, type Payload, type Target } from "@choiros/contract";
import { z } from "zod";
import type { Server } from "./server.ts";
import {
  type Choice,
  CountedIn,
  FileLine,
  HistoriesAnswer,
  Moment,
  Outcome,
  PathHistory,
  Preview,
  Said,
  Shown,
} from "./shapes.ts";

export type Decision = Payload<"approval.given">["decision"];
export type Choices = ReadonlyMap<string, Choice>;

/** What the console asks of one computer. */
export class ComputerApi {
  readonly id: string;
  readonly server: Server;

  constructor(server: Server, id: string) {
    this.server = server;
    this.id = id;
  }

  /** Everything in one file, which goes where this browser puts downloads. */
  async export(): Promise<void> {
    const address = URL.createObjectURL(await this.server.bytes(this.#path("export")));
    const link = document.createElement("a");
    Object.assign(link, { download: `${this.id}.choir`, href: address });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000); // by then it is being read
  }

  /** `from` below zero counts from the end. */
  async events(query: { from: number; to?: number; types?: readonly string[] }, signal?: AbortSignal) {
    const { from, to, types } = query;
    const parameters = new URLSearchParams({ from: String(from) });
    if (to !== undefined) parameters.set("to", String(to));
    if (types !== undefined) parameters.set("type", types.join(","));
    const found: Moment[] = [];
    await this.server.list(Moment, Json, this.#path(`events?${parameters}`), {
      onItem: (item) => found.push(item),
      ...(signal !== undefined && { signal }),
    });
    return found;
  }

  /** The events that began what isn't over, and the last event that was counted in. */
  async unfinished(signal: AbortSignal): Promise<{ moments: Moment[]; seq: number }> {
    const moments: Moment[] = [];
    const onItem = (item: Moment) => moments.push(item);
    const { seq } = await this.server.list(Moment, CountedIn, this.#path("unfinished"), { onItem, signal });
    return { moments, seq };
  }

  async files(at: number, signal: AbortSignal): Promise<FileLine[]> {
    const found: FileLine[] = [];
    const onItem = (item: FileLine) => found.push(item);
    await this.server.list(FileLine, Json, this.#path(`files?at=${at}`), { onItem, signal });
    return found;
  }

  /** What stood at every path up to the moment that is answered; a path may come more than once, and goes on then. */
  histories(onItem: (item: PathHistory) => void, signal: AbortSignal): Promise<{ until: number }> {
    return this.server.list(PathHistory, HistoriesAnswer, this.#path("histories"), { onItem, signal });
  }

  /** What changed from one moment to the other, either way round; `onItem` may stop it with the signal. */
  async diff(
    range: { from: number; to: number; lines?: boolean },
    onItem: (item: Shown) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { from, to, lines = false } = range;
    const path = this.#path(`diff?from=${from}&to=${to}&lines=${lines}`);
    await this.server.list(Shown, Json, path, { onItem, signal });
  }

  async preview(target: Target, choices: Choices, signal: AbortSignal): Promise<{ said: Said[]; answer: Preview }> {
    const said: Said[] = [];
    const answer = await this.server.list(Said, Preview, this.#path("preview"), {
      method: "POST",
      body: { choices: { each: [...choices] }, lines: true, target },
      onItem: (item) => said.push(item),
      signal,
    });
    return { said, answer };
  }

  undo(target: Target, choices: Choices): Promise<Outcome> {
    return this.server.act(Outcome, this.#path("undo"), { choices: { each: [...choices] }, target });
  }

  restore(key: string, at: number): Promise<Outcome> {
    return this.server.act(Outcome, this.#path("restore"), { at, key });
  }

  answer(approval: string, decision: Decision): Promise<Outcome> {
    return this.server.act(Outcome, this.#path(`approvals/${approval}`), { decision });
  }

  rename(name: string): Promise<null> {
    return this.server.ask(z.null(), `/api/computers/${this.id}`, { method: "PATCH", body: { name } });
  }

  #path(rest: string): string {
    return `/api/computers/${this.id}/${rest}`;
  }
}
