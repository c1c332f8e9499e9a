import { z } from "zod";
import { readLines } from "./lines.ts";
import { Problem, problemOf } from "./problem.ts";
import { Me } from "./shapes.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Asked {
  readonly method?: Method;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const Line = z.union([
  z.object({ item: z.unknown() }),
  z.object({ answer: z.unknown() }),
  z.object({ problem: z.object({ detail: z.string(), title: z.string() }) }),
]);

export const SIGNED_OUT = "You were signed out.";
const ANSWER_MS = 10_000;
const ANEW = "Load this page anew to see theirs, or sign in here.";

/** The gateway's HTTP, on the console's own site. Whatever comes in has passed its schema. */
export class Server {
  #token: string | undefined;
  /** Whose page this is, from the first answer of `me` on. */
  #account: string | undefined;
  #leaving = false;
  readonly #signedOut = new Set<(why: string) => void>();

  /** Heard when the session is over, however that came, or this browser has one of another account by now. */
  onSignedOut(listener: (why: string) => void): () => void {
    this.#signedOut.add(listener);
    return () => this.#signedOut.delete(listener);
  }

  /** From when the session is being ended on: nothing can be had for it any more. */
  get leaving(): boolean {
    return this.#leaving;
  }

  get token(): string {
    return this.#token ?? "";
  }

  /** Who is signed in, whose page this is from now on; `undefined` where nobody is. */
  async me(): Promise<Me | undefined> {
    const me = await askMe();
    if (me === undefined) return undefined;
    this.#account = me.account.id;
    this.#token = me.token;
    this.#leaving = false;
    return me;
  }

  /** Whether the same account is still signed in; with the token of a server that was started since. */
  async stillIn(): Promise<boolean> {
    const me = await askMe(AbortSignal.timeout(ANSWER_MS)); // over a line that is dead it would wait for ever
    if (me?.account.id === this.#account) {
      this.#token = me?.token;
      return me !== undefined;
    }
    this.#tellSignedOut(me === undefined ? SIGNED_OUT : `In this browser ${me.account.name} is signed in now. ${ANEW}`);
    return false;
  }

  async ask<T>(schema: z.ZodType<T>, path: string, asked: Asked = {}): Promise<T> {
    const response = await this.#fetch(path, asked);
    if (!response.ok) throw await problemOf(response);
    return schema.parse(response.status === 204 ? null : await response.json());
  }

  async signOut(): Promise<void> {
    if (!(await this.stillIn())) return; // it would end another account's session
    this.#leaving = true;
    try {
      await this.ask(z.unknown(), "/api/auth/sign-out", { method: "POST", body: {} });
    } catch (error) {
      this.#leaving = false;
      throw error;
    }
  }

  /** Bytes, as many as they are: browsers keep them on disk where they are many. */
  async bytes(path: string): Promise<Blob> {
    const response = await this.#fetch(path, {});
    if (!response.ok) throw await problemOf(response);
    return response.blob();
  }

  /** An action's answer also where it was refused: that is an answer, too. */
  async act<T>(schema: z.ZodType<T>, path: string, body: unknown): Promise<T> {
    const response = await this.#fetch(path, { method: "POST", body });
    const isAnswer = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    if (!response.ok && !isAnswer) throw await problemOf(response);
    return schema.parse(await response.json());
  }

  /** Each item of a list as it comes, and its answer at the end. */
  async list<Item, Answer>(
    item: z.ZodType<Item>,
    answer: z.ZodType<Answer>,
    path: string,
    { onItem, ...asked }: Asked & { onItem(item: Item): void },
  ): Promise<Answer> {
    const response = await this.#fetch(path, asked);
    if (!response.ok || response.body === null) throw await problemOf(response);
    let answered: { readonly answer: unknown } | undefined; // read on to the end: a body that is left is a connection lost
    for await (const text of readLines(response.body)) {
      const line = Line.parse(JSON.parse(text));
      if ("problem" in line) throw new Problem(500, line.problem.title, line.problem.detail);
      if ("answer" in line) answered = line;
      else onItem(item.parse(line.item));
    }
    if (answered !== undefined) return answer.parse(answered.answer);
    throw new Problem(500, "It broke off", "The answer broke off. Try again.");
  }

  async #fetch(path: string, asked: Asked): Promise<Response> {
    const response = await this.#send(path, asked);
    if (response.status === 401 && !path.startsWith("/api/auth/")) this.#tellSignedOut(SIGNED_OUT);
    if (response.status !== 403 || path.startsWith("/api/auth/")) return response;
    // The token is of one run of the server, and dies with it: after a restart there is a new one.
    const before = this.#token;
    const again = (await this.stillIn()) && this.#token !== before;
    return again ? this.#send(path, asked) : response;
  }

  #tellSignedOut(why: string): void {
    for (const listener of this.#signedOut) listener(why);
  }

  #send(path: string, { method = "GET", body, signal }: Asked): Promise<Response> {
    const headers: Record<string, string> = {};
    if (this.#token !== undefined) headers["x-choir-token"] = this.#token;
    if (body !== undefined) headers["content-type"] = "application/json";
    return fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  }
}

async function askMe(signal?: AbortSignal): Promise<Me | undefined> {
  const response = await fetch("/api/me", signal === undefined ? {} : { signal });
  if (response.status === 204) return undefined;
  if (!response.ok) throw await problemOf(response);
  return Me.parse(await response.json());
}
