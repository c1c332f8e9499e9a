import { z } from "zod";

/** The files that each app is made of, as the page has been told when it was built. */
const Code = z.record(z.string(), z.array(z.string()));

/** What is on its way: windows that are opened together wait for the same. */
const arriving = new Map<string, Promise<void>>();

/**
 * Fulfilled once all code of an app is in this browser. It is fetched before it is imported: a browser remembers of what it
 * couldn't import that it couldn't, and never asks for it again in this page.
 */
export async function codeArrived(app: string): Promise<void> {
  const list = document.getElementById("code")?.textContent;
  if (list === undefined) return; // nobody has built this page: its code is asked for as it is
  const files = Code.parse(JSON.parse(list))[app] ?? [];
  await Promise.all(files.map(arrived));
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
