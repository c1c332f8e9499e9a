import type { DeskApi } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";

/** For words that were taken for a command, and nothing came of them: they may be somebody's ask. */
export const ASK_INSTEAD = "Ask this instead";

/** Says it, and shows what becomes of it. */
export async function askInstead(api: Pick<DeskApi, "asks" | "later" | "notify">, text: string): Promise<void> {
  const later = api.later();
  try {
    const outcome = await api.asks.say(text);
    if (outcome.ok) later.open("course", { ask: outcome.call });
    else api.notify({ text: outcome.message, kind: "wrong" });
  } catch (error) {
    api.notify({ text: sentence(error), kind: "wrong" });
  }
}
