import { NO_MODEL } from "@choiros/contract";
import { askConsole } from "../console.ts";
import type { NewNotice } from "../desk/notices.ts";

/** Who waits for an answer, and nobody takes the ask up, is told this. The one place where "Connect a model" goes. */
export const NOBODY = asSentence(NO_MODEL);

/** So long an agent has to take an ask up before it is said that nobody does. */
export const PATIENCE_MS = 1500;

export function tellNobody(why: string = NOBODY): NewNotice {
  return { text: why, action: { label: "Connect a model", run: connectModel } };
}

/** The console's to do: it asks whoever sits there. */
export function connectModel(): void {
  askConsole("agents");
}

/** Agents tell it as the end of a sentence; here it is one. */
export function asSentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}. Your words are kept, and wait.`;
}
