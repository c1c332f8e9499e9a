import { z } from "zod";

/** The files that each app is made of, as the page has been told when it was built. */
const Code = z.record(z.string(), z.array(z.string()));
export type Code = z.infer<typeof Code>;

/** What is on its way: windows that are opened together wait for the same. */
const arriving = new Map<string, Promise<void>>();

/**
 * Fulfilled once all code of an app is in this browser. It is fetched before it is imported: a browser remembers of what it
 * couldn't import that it couldn't, and never asks for it again in this page.
 */
export async function codeArrived(app: string): Promise<void> {
  await Promise.all((codeList()?.[app] ?? []).map(arrived));
}

/** `undefined` where nobody has built this page: its code is asked for as it is. */
export function codeList(): Code | undefined {
  const list = document.getElementById("code")?.textContent;
  return list === undefined ? undefined : Code.parse(JSON.parse(list));
}

/** The app whose code is named first in a trace; what several have is nobody's. */
export function appOfCode(trace: string, code: Code): string | undefined {
  for (const [, file = ""] of trace.matchAll(/https?:\/\/[^/\s]+(\/[^\s:)]+)/g)) {
    const [app, ...others] = Object.keys(code).filter((one) => code[one]?.includes(file));
    if (app !== undefined && others.length === 0) return app;
  }
  return undefined;
}

function arrived(file: string): Promise<void> {
  const known = arriving.get(file);
  if (known !== undefined) return known;
  const coming = fetched(file).finally(() => arriving.delete(file));
  arriving.set(file, coming);
  return coming;
}

async function fetched(file: string): Promise<void> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${file}`);
  await response.arrayBuffer(); // or it isn't kept
}
