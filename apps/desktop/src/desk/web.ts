import { newId } from "@choiros/contract";
import { z } from "zod";
import type { Grant } from "../console.ts";
import { answeredProblem, Problem } from "./problem.ts";
import { sendTold } from "./send-told.ts";
import { Moment, Outcome } from "./shapes.ts";
import { Unheard } from "./unheard.ts";

const Body = z.object({ detail: z.string(), title: z.string() });
const Line = z.object({ item: Moment });
const HEAD_MS = 10_000;
/** So long it may take to write, and so much longer for each byte. */
const WRITE_MS = 5000;
const BYTE_MS = 0.02;
/** More connections than a browser keeps: all of them may be dead, each unknown to the others. */
const MOST_TRIES = 8;

export interface Writing {
  /** The hash of what was read; `null` where there was nothing. Where something else stands now, both are put together. */
  readonly base?: string | null;
  /** They are put together, or nothing is written: that is a conflict. Else what is written may stand beside. */
  readonly beside?: false;
  /** The same one again does nothing twice. */
  readonly id?: string;
  /** What it belongs to: all of one call is undone as one. */
  readonly call?: string;
  /** Together with `onSent` it stops nothing that has gone out whole: `Unanswered` where its answer doesn't come. */
  readonly signal?: AbortSignal;
  /** It is sent also where this page is gone before it is; browsers do so for 64 KB. */
  readonly outlives?: boolean;
  /** How many of the bytes have gone out. */
  onSent?(bytes: number): void;
}

/** Where bytes come and go: the server's HTTP, on the desk's own site. */
export class Web {
  grant: Grant | undefined;
  /** What is to be kept and isn't answered yet, but for uploads, which tell themselves how far they are. */
  readonly unheard = new Unheard();
  /** Over once the connection is dead. */
  #line = new AbortController();
  readonly #onRefused: () => void;
  /** The token that the browser has as a cookie, too. */
  #cookieOf: string | undefined;

  constructor(onRefused: () => void) {
    this.#onRefused = onRefused;
  }

  get computer(): string {
    return this.grant?.computer ?? "";
  }

  /** The connection is dead: whoever waits for an answer would wait for ever, and can ask again. */
  giveUp(): void {
    this.#line.abort(new TypeError("the connection is dead")); // as `fetch` fails where there is none
    this.#line = new AbortController();
  }

  async head(): Promise<number> {
    const signal = AbortSignal.timeout(HEAD_MS); // over a line that is dead it would wait for ever
    const response = await this.#fetch(`/api/computers/${this.computer}/events?from=-1`, { signal });
    const [first = ""] = (await response.text()).split("\n");
    return Line.parse(JSON.parse(first)).item.event.seq;
  }

  /** For what the browser asks for by itself: it shows a cookie then, which is got once for each token. */
  async link(key: string, { at, download }: { at?: number; download?: boolean } = {}): Promise<string> {
    const { token } = this.grant ?? { token: "" };
    if (this.#cookieOf !== token) {
      await this.#fetch(`/api/computers/${this.computer}/desk-cookie`, { method: "POST" });
      this.#cookieOf = token;
    }
    const query = new URLSearchParams({
      ...(at !== undefined && { at: String(at) }),
      ...(download === true && { download: "1" }),
    });
    return query.size === 0 ? this.#address(key) : `${this.#address(key)}?${query}`;
  }

  /** `undefined` where there is no such file. */
  async read(key: string, { at, signal }: { at?: number; signal?: AbortSignal } = {}): Promise<Response | undefined> {
    const query = new URLSearchParams({ maybe: "1", ...(at !== undefined && { at: String(at) }) });
    const path = `${this.#address(key)}?${query}`;
    const response = await patiently(() => this.#send(path, signal === undefined ? {} : { signal }), signal);
    if (response.status === 204) return undefined;
    if (!response.ok) throw await this.#problemOf(response);
    return response;
  }

  async write(key: string, bytes: Blob | string, writing: Writing = {}): Promise<Outcome> {
    const { base, beside, id = newId(), call, signal, outlives = false, onSent } = writing;
    const address = `${this.#address(key)}${beside === false ? "?maybe=1" : ""}`;
    const headers: Record<string, string> = { "content-type": "application/octet-stream" };
    if (base === null) headers["if-none-match"] = "*";
    else if (base !== undefined) headers["if-match"] = `"${base}"`;
    headers["idempotency-key"] = id;
    if (call !== undefined) headers["x-call"] = call;
    const asked = { method: "PUT", headers, body: bytes, keepalive: outlives, ...(signal !== undefined && { signal }) };
    const most = WRITE_MS + BYTE_MS * (typeof bytes === "string" ? bytes.length : bytes.size);
    const send = () =>
      onSent === undefined
        ? this.#sendSurely(address, { ...asked, id, most })
        : sendTold(address, { ...asked, headers: this.#signed(headers), line: this.#line.signal }, onSent);
    const response = await patiently(send, signal, () => onSent?.(0));
    const isAnswer = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    if (!response.ok && !isAnswer) throw await this.#problemOf(response);
    return Outcome.parse(await response.json());
  }

  #address(key: string): string {
    return `/api/computers/${this.computer}/file/${key.split("/").map(encodeURIComponent).join("/")}`;
  }

  async #fetch(path: string, asked: RequestInit): Promise<Response> {
    const response = await this.#send(path, asked);
    if (!response.ok) throw await this.#problemOf(response);
    return response;
  }

  #send(path: string, { headers, signal, ...asked }: RequestInit): Promise<Response> {
    const signals = [this.#line.signal, ...(signal ? [signal] : [])];
    return fetch(path, { ...asked, headers: this.#signed(headers), signal: AbortSignal.any(signals) });
  }

  /** Where no answer comes in its time, it is sent again over another connection: its id lets it do nothing twice. */
  async #sendSurely(
    path: string,
    { id, most, ...asked }: RequestInit & { id: string; most: number },
  ): Promise<Response> {
    const { signal } = asked;
    this.unheard.said(id);
    try {
      for (let tries = 1; ; tries++) {
        const limit = new AbortController();
        const timer = setTimeout(() => limit.abort(new TypeError("the server doesn't answer")), most);
        try {
          const signals = [limit.signal, ...(signal ? [signal] : [])];
          return await this.#send(path, { ...asked, signal: AbortSignal.any(signals) });
        } catch (error) {
          if (!limit.signal.aborted || signal?.aborted === true || tries === MOST_TRIES) throw error;
        } finally {
          clearTimeout(timer);
        }
      }
    } finally {
      this.unheard.heard(id);
    }
  }

  #signed(headers: RequestInit["headers"]): Record<string, string> {
    return { ...Object.fromEntries(new Headers(headers)), authorization: `Bearer ${this.grant?.token ?? ""}` };
  }

  async #problemOf(response: Response): Promise<Problem> {
    if (response.status === 401) this.#onRefused();
    const said = Body.safeParse(await response.json().catch(() => undefined));
    if (said.success) return answeredProblem(said.data, response.status);
    return new Problem("Not done", `The server answered ${response.status}. Try again.`, response.status);
  }
}

/** A folder of thousands comes and goes as fast as the server lets it: where that says to wait, it is asked again then. */
async function patiently(
  send: () => Promise<Response>,
  signal: AbortSignal | undefined,
  onRefused?: () => void,
): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status !== 429) return response;
    onRefused?.();
    await waited(response, signal);
  }
}

/** So long as the server says. */
async function waited({ headers }: Response, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, 1000 * Math.max(1, Number(headers.get("retry-after")) || 1));
  const stop = () => reject(signal?.reason);
  signal?.addEventListener("abort", stop);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}
