import type { Computer } from "@choiros/computer";
import { type AskValue, type Id, isDemo } from "@choiros/contract";

/** Who people say it was, where no model did it: the demo's script. */
export const SCRIPTED = "demo";

/** Tells whether what an agent did for an ask was played from the demo's script. Each ask is looked up once. */
export function scriptedIn(computer: Computer): (source: string, ask: Id | null | undefined) => Promise<boolean> {
  const known = new Map<Id, Promise<boolean>>();
  return async (source, ask) => {
    if (source !== "agent" || ask == null) return false;
    const answer = known.get(ask) ?? isScripted(computer, ask);
    known.set(ask, answer);
    return answer;
  };
}

async function isScripted(computer: Computer, ask: Id): Promise<boolean> {
  const { pages } = await computer.rows("ask", { under: ask });
  for await (const rows of pages) {
    const row = rows.find(({ key }) => key === ask);
    if (row !== undefined) return isDemo((row.value as AskValue).title ?? ""); // only the contract's reducers write it
  }
  return false;
}
