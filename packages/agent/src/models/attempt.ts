import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { AnswerDraft } from "./answer-draft.ts";
import { type Fault, faultOfFinish, faultOfLate, faultOfLost, faultOfThrown, type Whom } from "./fault.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { AnswerPart, ModelOptions, ModelUsage } from "./model.ts";
import { Patience } from "./patience.ts";
import type { Timing } from "./timing.ts";

export type Attempt = { readonly parts: readonly AnswerPart[]; readonly usage: ModelUsage } & (
  | { readonly ok: true; readonly stop: "end" | "tools" | "length" }
  | { readonly ok: false; readonly fault: Fault /** Something of an answer came. */; readonly begun: boolean }
);

export interface Attempted {
  readonly whom: Whom;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  readonly onText: ((delta: string) => void) | undefined;
  readonly onMore: ModelOptions["onMore"];
  readonly open: (fetch: typeof globalThis.fetch) => Promise<LanguageModelV4>;
  readonly options: LanguageModelV4CallOptions;
}

/** One request, and all that comes of it. Never throws for what a provider or a network does. */
export async function attempt({ whom, timing, signal, onText, onMore, open, options }: Attempted): Promise<Attempt> {
  const draft = new AnswerDraft(whom.model, onText);
  const patience = new Patience(timing, signal);
  const failed = (fault: Fault): Attempt => ({ ok: false, fault, begun: draft.begun, ...got(draft) });
  try {
    let lost: "cut" | "endless" | undefined;
    const fetch = guardedFetch(
      () => patience.heard(),
      (how) => {
        lost = how;
      },
    );
    const started = open(fetch).then((model) => model.doStream({ ...options, abortSignal: patience.signal }));
    const more = () => onMore?.(() => draft.parts);
    const thrown = await readInto(draft, started, patience.signal, more);
    if (signal.aborted) return failed({ why: "stopped", message: "It was stopped.", again: false });
    if (patience.expired !== undefined) return failed(faultOfLate(whom, patience.expired, timing));
    if (!draft.ended && lost !== undefined) return failed(faultOfLost(whom, lost));
    if (!draft.ended && thrown !== undefined) return failed(faultOfThrown(whom, thrown.error));
    const fault = faultOfFinish(whom, draft);
    if (fault !== undefined) return failed(fault);
    return { ok: true, stop: stopOf(draft), ...got(draft) };
  } finally {
    patience.end();
  }
}

/** Reads until the end, an error or the signal, which isn't kept waiting by a client that doesn't let go. */
async function readInto(
  draft: AnswerDraft,
  started: Promise<LanguageModelV4StreamResult>,
  signal: AbortSignal,
  more: () => void,
): Promise<{ error: unknown } | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) return resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  try {
    const result = await Promise.race([started, aborted]);
    if (result === undefined) return undefined;
    reader = result.stream.getReader();
    for (;;) {
      const read = await Promise.race([reader.read(), aborted]);
      if (read === undefined || read.done) return undefined;
      if (read.value.type === "error") return { error: read.value.error };
      draft.take(read.value);
      more();
    }
  } catch (error) {
    return { error };
  } finally {
    // nobody listens to what it says now, and it may say that it was aborted
    started.catch(() => undefined);
    reader?.cancel().catch(() => undefined);
  }
}

function got(draft: AnswerDraft): { parts: readonly AnswerPart[]; usage: ModelUsage } {
  return { parts: draft.parts, usage: draft.usage };
}

/** Some servers say that they are at the end where they wait for a tool: the calls tell. */
function stopOf(draft: AnswerDraft): "end" | "tools" | "length" {
  if (draft.finish === "length") return "length";
  return draft.parts.some((part) => "call" in part) ? "tools" : "end";
}
