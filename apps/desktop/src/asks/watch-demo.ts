import { DEMO_ASK } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";

/** Plays the script that shows an ask at work, and opens its window. */
export async function watchDemo(api: DeskApi): Promise<void> {
  const later = api.later();
  try {
    const outcome = await api.asks.say(DEMO_ASK, { paths: [] });
    if (outcome.ok) later.open("course", { ask: outcome.call });
    else api.notify({ text: outcome.message, kind: "wrong" });
  } catch (error) {
    api.notify({ text: sentence(error), kind: "wrong" });
  }
}
