import type { Manifest } from "../apps/app.ts";
import { sentence } from "../desk/problem.ts";
import { codeArrived } from "./app-code.ts";

/** That an app's code didn't come, in words. */
export class NotLoaded extends Error {
  /** The server has another desktop by now, and doesn't know this one's files any more. */
  readonly isOutdated: boolean;

  constructor(words: string, isOutdated: boolean) {
    super(words);
    this.name = "NotLoaded";
    this.isOutdated = isOutdated;
  }
}

/** Rejects with a `NotLoaded`. */
export async function loadApp(app: Manifest): ReturnType<Manifest["load"]> {
  try {
    await codeArrived(app.id);
    return await app.load();
  } catch {
    throw await whyNot();
  }
}

async function whyNot(): Promise<NotLoaded> {
  try {
    const page = await (await fetch("/", { cache: "no-store" })).text();
    const own = document.querySelector("script[src]")?.getAttribute("src");
    return typeof own === "string" && !page.includes(own)
      ? new NotLoaded("The server was updated while this page was open.", true)
      : new NotLoaded("Its code didn't arrive.", false);
  } catch (error) {
    return new NotLoaded(sentence(error), false);
  }
}
