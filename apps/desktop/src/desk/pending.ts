import { type Json, MAX_MESSAGE_BYTES } from "@choiros/contract";
import type { FromClient, FromServer } from "@choiros/contract/wire";
import { fileSize } from "../words.ts";
import { answeredProblem, Problem } from "./problem.ts";
import { Unheard } from "./unheard.ts";

type Do = Extract<FromClient, { do: string }>;

export interface Wish {
  /** Names the command where it may have to be asked again by others than this page. */
  readonly id?: string;
  /** It only reads: where the connection breaks after some of it came, it has failed, and can be asked anew. */
  readonly reads?: boolean;
  readonly signal?: AbortSignal;
  onItem?(item: Json): void;
  onOutput?(bytes: Uint8Array, aside: boolean): void;
  onProgress?(progress: { readonly done: number; readonly total?: number; readonly what: string }): void;
}

interface Asked {
  readonly command: Do;
  readonly wish: Wish;
  readonly resolve: (answer: Json) => void;
  readonly reject: (problem: unknown) => void;
  sent: boolean;
  /** Something of what it reads has come: said again, that would come twice. */
  begun: boolean;
}

/** What was asked and isn't answered yet, in order. */
export class Pending {
  /** Of what should be kept. */
  readonly unheard = new Unheard();
  readonly #say: (words: FromClient) => boolean;
  readonly #asked = new Map<string, Asked>();

  /** `say` tells whether somebody heard it. */
  constructor(say: (words: FromClient) => boolean) {
    this.#say = say;
  }

  add(command: Do, wish: Wish): Promise<Json> {
    if (wish.signal?.aborted === true) return Promise.reject(wish.signal.reason);
    if (isTooLong(command)) return Promise.reject(new Problem("Too long", TOO_LONG));
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    const asked: Asked = { command, wish, resolve, reject, begun: false, sent: this.#say(command) };
    this.#asked.set(command.id, asked);
    if (wish.reads !== true) this.unheard.said(command.id);
    const stop = () => {
      if (asked.sent) this.#say({ stop: command.id });
      this.#end(command.id)?.reject(wish.signal?.reason);
    };
    wish.signal?.addEventListener("abort", stop);
    const settled = () => wish.signal?.removeEventListener("abort", stop);
    promise.then(settled, settled);
    return promise;
  }

  /** Somebody listens again. */
  resume(): void {
    for (const asked of this.#asked.values()) asked.sent = this.#say(asked.command);
  }

  /** Nobody listens any more. What changes something waits, and is said again; so is what reads, where nothing came yet. */
  lost(): void {
    for (const [id, { begun, wish }] of this.#asked) {
      if (!begun || wish.reads !== true) continue;
      this.#end(id)?.reject(new Problem("It broke off", "The connection broke off. Try again."));
    }
  }

  hear(message: FromServer): void {
    if (!("id" in message)) return;
    const { id } = message;
    const asked = this.#asked.get(id);
    if (asked !== undefined) asked.begun ||= "item" in message || "items" in message || "output" in message;
    const { wish } = asked ?? {};
    if ("item" in message) wish?.onItem?.(message.item);
    else if ("items" in message) for (const item of message.items) wish?.onItem?.(item);
    else if ("output" in message) wish?.onOutput?.(bytesOf(message.output), message.aside);
    else if ("progress" in message) wish?.onProgress?.(message.progress);
    else if ("answer" in message) this.#end(id)?.resolve(message.answer);
    else this.#end(id)?.reject(answeredProblem(message.problem));
  }

  #end(id: string): Asked | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    this.unheard.heard(id);
    return asked;
  }
}

const TOO_LONG = `That is too long to be sent at once: no more than ${fileSize(MAX_MESSAGE_BYTES)} can be.`;

/** The server would end the line at it, and again each time it is said. */
function isTooLong(command: Do): boolean {
  return new TextEncoder().encode(JSON.stringify(command)).length > MAX_MESSAGE_BYTES;
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
