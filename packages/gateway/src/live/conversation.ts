import type { Computer } from "@choiros/computer";
import { type Id, type Json, reasons } from "@choiros/contract";
import type { FromClient } from "@choiros/contract/wire";
import type { Signals } from "@choiros/log";
import { type Asker, judge, type Named } from "../entrance.ts";
import { FULL, isFull } from "../full-disk.ts";
import { OperationError, type Place, seldom } from "../operations/index.ts";
import { overreachOf } from "../overreach.ts";
import type { LiveLimits } from "./limits.ts";
import { type Offered, offered } from "./offered.ts";
import type { Outbox } from "./outbox.ts";
import { Page } from "./page.ts";
import { type Hearer, NOTHING, type Works } from "./works.ts";

export interface ConversationParts {
  readonly asker: Asker;
  readonly named: Named;
  readonly place: Place;
  readonly computer: Pick<Computer, "stop">;
  readonly session: string;
  readonly signals: Signals;
  readonly works: Works;
  readonly limits: Pick<LiveLimits, "commandsAtOnce">;
  /** Aborts when the socket is over. */
  readonly gone: AbortSignal;
  report(error: unknown): void;
}

type Do = Extract<FromClient, { readonly do: string }>;
/** A beat is the connection's to answer. */
type Heard = Exclude<FromClient, { readonly beat: true }>;

/** What a client that has said hello asks of its computer, and what it is answered. */
export class Conversation {
  readonly #outbox: Outbox;
  readonly #parts: ConversationParts;
  readonly #asked = new Map<Id, AbortController>();

  constructor(outbox: Outbox, parts: ConversationParts) {
    this.#outbox = outbox;
    this.#parts = parts;
  }

  hear(message: Heard): void {
    if ("signal" in message) return void this.#parts.signals.send(message.signal);
    if ("stop" in message) return void this.#stop(message.stop);
    if (this.#asked.has(message.id)) return; // it will be answered
    void this.#answer(message);
  }

  /** Also what was begun over another socket, and a command that was begun any other way. */
  #stop(id: Id): void {
    const { computer, place, works } = this.#parts;
    this.#asked.get(id)?.abort();
    works.stop(place.userId, id);
    computer.stop(id);
  }

  async #answer(asked: Do): Promise<void> {
    const { id } = asked;
    const stop = new AbortController();
    const problem = (title: string, detail: string) => this.#outbox.send({ id, problem: { detail, title } });
    if (this.#asked.size >= this.#parts.limits.commandsAtOnce)
      return problem("Too many at once", "Wait for an answer before you ask for more.");
    this.#asked.set(id, stop);
    try {
      const answer = (await this.#run(asked, stop.signal)) as Json; // its schema is one of JSON
      await this.#outbox.send({ answer, id });
    } catch (error) {
      if (error instanceof OperationError) return await problem("It can't be done", error.message);
      if (stop.signal.aborted || isAbort(error)) return await problem("Stopped", "It was stopped before it was done.");
      if (isFull(error)) return await problem("The disk is full", FULL);
      this.#parts.report(error);
      await problem("Server error", "Something failed in the server. Its output says what.");
    } finally {
      this.#asked.delete(id);
    }
  }

  async #run({ do: name, id, pages, request }: Do, stopped: AbortSignal): Promise<unknown> {
    const { asker, gone, named, place, session, works } = this.#parts;
    const found = offered(name);
    if (found === undefined) throw new OperationError(`there is nothing called '${name}' to do over a socket`);
    if (judge(found.entrance, asker, named) !== "pass")
      throw new OperationError("only the console's own page may do this");
    const { operation } = found;
    const asked = requestOf(found, request);
    const over = overreachOf(asker, asked);
    if (over !== undefined) throw new OperationError(over);
    const hearer = this.#hearer(id);
    // What changes something goes on without whoever asked, until it is stopped; nobody needs a list that nobody reads.
    if (operation.answersStopped === true) return works.do({ id, operation, place, request: asked, session }, hearer);
    const page = new Page((items) => this.#outbox.send({ id, items }));
    const answer = await operation.run(place, asked, {
      ...{ id, input: NOTHING, signal: AbortSignal.any([gone, stopped]) },
      item: pages === true ? (value) => page.add(value as Json) : hearer.item, // its schema is one of JSON
      progress: hearer.progress,
      output: (bytes) => hearer.output(bytes, false),
      aside: (bytes) => hearer.output(bytes, true),
    });
    await page.send();
    return answer;
  }

  #hearer(id: Id): Hearer {
    return {
      item: (value) => this.#outbox.send({ id, item: value as Json }), // its schema is one of JSON
      output: (bytes, aside) => this.#outbox.send({ aside, id, output: Buffer.from(bytes).toString("base64") }),
      progress: seldom((progress) => this.#outbox.offer({ id, progress })),
    };
  }
}

function requestOf({ operation }: Offered, request: unknown): unknown {
  const parsed = operation.request.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new OperationError(`that can't be asked of '${operation.name}': ${reasons(parsed.error)}`);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
