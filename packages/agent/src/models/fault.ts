import { z } from "zod";
import type { AnswerDraft } from "./answer-draft.ts";
import type { ModelAnswer } from "./model.ts";
import { retryAfterOf } from "./retry-after.ts";
import type { Timing } from "./timing.ts";
import { withoutSecrets } from "./without-secrets.ts";

type Why = Extract<ModelAnswer, { ok: false }>["why"];

/** Why there is no answer, and whether the same request may have one later. */
export interface Fault {
  readonly why: Why;
  readonly message: string;
  readonly again: boolean;
  /** How long the provider wants to be let alone. */
  readonly afterMs?: number;
}

/** Of whom it is told. */
export interface Whom {
  /** As people call it: `Anthropic`, or `127.0.0.1:11434`. */
  readonly name: string;
  readonly model: string;
  /** What a message must never have in it. */
  readonly secrets: readonly string[];
}

const Thrown = z.object({
  /** What the network said, which a client puts its own words before. */
  cause: z
    .object({ code: z.string().catch(""), message: z.string().catch("") })
    .optional()
    .catch(undefined),
  code: z.unknown().optional(),
  data: z.unknown().optional(),
  message: z.string().catch(""),
  name: z.string().catch(""),
  responseHeaders: z.record(z.string(), z.string()).catch({}),
  statusCode: z.number().optional().catch(undefined),
  type: z.string().catch(""),
});
type Thrown = z.infer<typeof Thrown>;

const TOO_LONG = /too long|too large|context[ _](length|window|size)|maximum context|exceed\w* .*(tokens|context)/i;
const BUSY_TYPES = /overloaded|rate_limit|server_error|api_error|unavailable|throttl/i;
const UNREADABLE = /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody)Error$/;

/** From what a client threw, or told in the middle of an answer. */
export function faultOfThrown(whom: Whom, error: unknown): Fault {
  const thrown = Thrown.safeParse(error);
  if (!thrown.success) return broken(whom, String(error));
  const { statusCode: status, name, message, type, code } = thrown.data;
  if (status !== undefined && status >= 300) return faultOfStatus(whom, status, thrown.data);
  if (UNREADABLE.test(name)) return broken(whom, "");
  if (BUSY_TYPES.test(`${type} ${String(code)}`)) return busy(whom, thrown.data);
  if (status === undefined && name === "AI_APICallError") return faultOfNetwork(whom, thrown.data);
  return broken(whom, message);
}

/** From the end of an answer that came to one: what is cut off politely, or not meant to be given. */
export function faultOfFinish(whom: Whom, draft: AnswerDraft): Fault | undefined {
  if (draft.finish === "content-filter") {
    const message = `${whom.name} didn't let ${whom.model} answer this. Say it in another way, or choose another model.`;
    return { why: "refused", message, again: false };
  }
  return draft.ended ? undefined : unreachable(whom, "the answer ended in the middle");
}

export function faultOfLate(whom: Whom, expired: "first" | "silence", timing: Timing): Fault {
  const seconds = (expired === "first" ? timing.firstMs : timing.silenceMs) / 1000;
  const what = expired === "first" ? "didn't begin to answer" : "stopped in the middle of an answer and said nothing";
  return { why: "timeout", message: `${whom.name} ${what} for ${seconds} s. Try again.`, again: false };
}

/** From a connection that was lost in the middle. */
export function faultOfLost(whom: Whom, how: "cut" | "endless"): Fault {
  return how === "cut" ? unreachable(whom, "it was cut") : broken(whom, "it doesn't end");
}

/** As people say it. Of what isn't among these the network's own words are told. */
const NETWORK: Readonly<Record<string, string>> = {
  EAI_AGAIN: "its name can't be looked up for now",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it was cut",
  EHOSTUNREACH: "there is no way to it from here",
  ENETUNREACH: "there is no way to it from here",
  ENOTFOUND: "there is no host of that name",
  EPIPE: "it was cut",
  ETIMEDOUT: "nobody answered in time",
  UND_ERR_CONNECT_TIMEOUT: "nobody answered in time",
  UND_ERR_SOCKET: "it was cut",
};

function faultOfNetwork(whom: Whom, { cause, message }: Thrown): Fault {
  if (cause?.message === "bad port") {
    const what = `No request is sent to the port of ${whom.name}: it belongs to another kind of service.`;
    const todo = "Let it listen on another port, and set its address to that.";
    return { why: "unreachable", message: `${what} ${todo}`, again: false };
  }
  return unreachable(whom, NETWORK[cause?.code ?? ""] ?? (cause?.message || message));
}

function faultOfStatus(whom: Whom, status: number, thrown: Thrown): Fault {
  const told = quoted(whom, thrown.message);
  const { name, model } = whom;
  if (status < 400) {
    const message = `${name} sends requests on to elsewhere (${status}), which isn't followed with a key. Set its address to where it is.`;
    return { why: "refused", message, again: false };
  }
  if (status === 401 || status === 403) {
    return {
      why: "key",
      message: `${name} refused the key (${status}). Connect it again with one that may use ${model}.`,
      again: false,
    };
  }
  if (status === 413 || (status < 500 && status !== 429 && TOO_LONG.test(thrown.message))) {
    return { why: "too-long", message: `This is more than ${model} can read at once${told}`, again: false };
  }
  if (status === 404) {
    return { why: "refused", message: `${name} has no model ${model}, or not for this key${told}`, again: false };
  }
  if (status === 429 && JSON.stringify(thrown.data ?? null).includes("insufficient_quota")) {
    return { why: "refused", message: `${name} wants to be paid before it goes on${told}`, again: false };
  }
  if (status === 408 || status === 424 || status === 429 || status >= 500) return busy(whom, thrown, status);
  return { why: "refused", message: `${name} refused the request (${status})${told}`, again: false };
}

function busy(whom: Whom, thrown: Thrown, status?: number): Fault {
  const what = status === 429 ? "gets too many requests" : "can't answer for now";
  const message = `${whom.name} ${what}${status === undefined ? "" : ` (${status})`}${quoted(whom, thrown.message)}`;
  const afterMs = retryAfterOf(thrown.responseHeaders, Date.now());
  return { why: "busy", message, again: true, ...(afterMs !== undefined && { afterMs }) };
}

function unreachable(whom: Whom, why: string): Fault {
  const message = `The connection to ${whom.name} failed${quoted(whom, why)} Look whether it runs and this machine reaches it.`;
  return { why: "unreachable", message, again: true };
}

function broken(whom: Whom, why: string): Fault {
  const message = `${whom.name} sent something that is no answer${quoted(whom, why)} Look whether its address and its kind are right.`;
  return { why: "broken", message, again: false };
}

/** What the provider says itself, in one line of bounded length, and with no key in it. */
function quoted({ secrets }: Whom, message: string): string {
  const line = withoutSecrets(message, secrets).replace(/\s+/g, " ").trim().replace(/\.$/, "");
  if (line === "") return ".";
  return `: ${line.length > 300 ? `${line.slice(0, 300)}…` : line}.`;
}
