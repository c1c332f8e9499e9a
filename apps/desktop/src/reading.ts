import { Envelope } from "@choiros/contract";
import { z } from "zod";

export interface Grant {
  readonly computer: string;
  readonly token: string;
}

/** The token is over. */
export class Refused extends Error {}

const LAST = 100;
const MOST_FILES = 1000;
const File = z.object({ item: z.object({ entry: z.object({ kind: z.string() }), key: z.string() }) });
const Event = z.object({ item: z.object({ event: Envelope }) });

/** The last events, the newest first. */
export async function readLast(grant: Grant): Promise<Envelope[]> {
  const lines = await read(grant, `events?from=-${LAST}`);
  return lines.flatMap((line) => Event.safeParse(line).data?.item.event ?? []).reverse();
}

/** Each path with what it is. */
export async function readTree(grant: Grant): Promise<[string, string][]> {
  const lines = await read(grant, "files");
  return lines.slice(0, MOST_FILES).flatMap((line): [string, string][] => {
    const found = File.safeParse(line);
    return found.success ? [[found.data.item.key, found.data.item.entry.kind]] : [];
  });
}

async function read({ computer, token }: Grant, what: string): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`/api/computers/${computer}/${what}`, { headers });
  if (response.status === 401) throw new Refused("the server doesn't know this token");
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const text = await response.text();
  return text
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}
