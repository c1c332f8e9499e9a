import { setTimeout as delay } from "node:timers/promises";
import { DEMO_PROVIDER, newId } from "@choiros/contract";
import type { AnswerPart, Model, ModelAnswer, ModelMessage, ModelOptions, ModelRequest } from "../models/model.ts";
import { associateTurn, directorTurn, type Turn } from "./script.ts";

/** As events name it, beside the provider: whoever sees an event of the demo sees that it is one. */
const NAME = "a script, no model";

/** So long it takes over a word, and before it begins: a person is to see what happens. */
const WORD_MS = 60;
const BEGIN_MS = 500;
const FREE = { in: 0, out: 0, cached: 0 };

/** The two of the demo. They reach no network, and know little but their lines. */
export function demoModels({ slow = true } = {}): { readonly director: Model; readonly associate: Model } {
  return { director: playing(directorTurn, slow), associate: playing(associateTurn, slow) };
}

/** Each answer follows from those before it: one that is resumed goes on where it was. */
function playing(turnAfter: (messages: readonly ModelMessage[]) => Turn, slow: boolean): Model {
  return {
    provider: DEMO_PROVIDER,
    name: NAME,
    async ask(request: ModelRequest, options: ModelOptions): Promise<ModelAnswer> {
      const turn = turnAfter(request.messages);
      try {
        await speak(turn.says, options, slow);
      } catch {
        return { ok: false, why: "stopped", message: "it was stopped", parts: [], usage: FREE };
      }
      const calls: AnswerPart[] = turn.calls.map(({ tool, input }) => ({ call: { id: newId(), tool, input } }));
      return { ok: true, parts: [{ text: turn.says }, ...calls], stop: "tools", usage: FREE };
    },
  };
}

async function speak(text: string, { onText, signal }: ModelOptions, slow: boolean): Promise<void> {
  signal.throwIfAborted();
  if (slow) await delay(BEGIN_MS, undefined, { signal });
  for (const word of text.split(/(?<= )/)) {
    if (slow) await delay(WORD_MS, undefined, { signal });
    onText?.(word);
  }
}
