import { DEMO_PROVIDER, type Envelope, isEventType, type KnownEvent, recognise } from "@choiros/contract";

/** What no undo can take back, in sentences: what left the computer, by its kind and where to. */
export async function lasting(events: AsyncIterable<Envelope> | Iterable<Envelope>): Promise<string[]> {
  const found = new Map<string, Found>();
  for await (const event of events) {
    const left = whatLeft(event);
    if (left === undefined) continue;
    const known = found.get(left.what) ?? { times: 0, bytes: 0 };
    found.set(left.what, { times: known.times + 1, bytes: known.bytes + left.bytes });
  }
  const sentences = [...found].map(([what, { times, bytes }]) => sentence(what, times, bytes));
  if (sentences.length <= MAX_SENTENCES) return sentences;
  return [...sentences.slice(0, MAX_SENTENCES), `and ${sentences.length - MAX_SENTENCES} more`];
}

const MAX_SENTENCES = 50;

interface Found {
  readonly times: number;
  readonly bytes: number;
}

function whatLeft(event: Envelope): { what: string; bytes: number } | undefined {
  if (!isEventType(event.type)) {
    return { what: `${event.type}: this version doesn't know what that did`, bytes: 0 };
  }
  const known = recognise(event);
  if (!known.ok) return { what: `${event.type}: this version can't read what that did`, bytes: 0 };
  const what = outside(known.value);
  if (what === undefined) return undefined;
  return {
    what,
    bytes: known.value.type === "receipt.net" ? known.value.payload.bytes_out : 0,
  };
}

/** What went out with an event of a type that we know. */
function outside({ type, payload }: KnownEvent): string | undefined {
  if (type === "receipt.net") return payload.allowed ? `a connection to ${payload.host}:${payload.port}` : undefined;
  if (type === "deploy.request") return `deploy ${payload.deploy} was asked for`;
  if (type === "deploy.result") return payload.status === "ok" ? `deploy ${payload.deploy} went out` : undefined;
  if (type === "model.call") return payload.provider === DEMO_PROVIDER ? undefined : MODEL_CALL;
  if (type === "checkpoint.created") return `commit ${payload.commit.slice(0, 12)} stays, here and where it was pushed`;
  return undefined;
}

/** However many models were called: what they were told and cost is one thing to whoever decides. */
const MODEL_CALL = "of a model: what was sent is sent, and what it cost is paid";

function sentence(what: string, times: number, bytes: number): string {
  if (what === MODEL_CALL) return `${times} ${times === 1 ? "call" : "calls"} ${what}`;
  const extra = [times > 1 ? `${times} times` : "", bytes > 0 ? `${bytes} bytes sent` : ""].filter(
    (part) => part !== "",
  );
  return extra.length === 0 ? what : `${what} (${extra.join(", ")})`;
}
