import { type MessagePort, parentPort, receiveMessageOnPort } from "node:worker_threads";
import type { Answer, Call as AnyCall } from "../thread.ts";
import { bytesOfMany, statesOfMany } from "./content-pages.ts";
import { failureOf } from "./failure.ts";
import type { DiskOperations, OpenRequest } from "./protocol.ts";
import { StoreFile } from "./store-file.ts";

/**
 * The thread that waits for the disk, so that nobody else has to. It takes all calls that have come in by now,
 * and whatever of them belongs into one file goes in with one commit.
 */
const port = parentPort as MessagePort; // this file is the entry of a worker, and nothing else

type Call<Op extends keyof DiskOperations = keyof DiskOperations> = AnyCall<DiskOperations, Op>;

const stores = new Map<number, StoreFile>();

port.on("message", (first: readonly Call[]) => {
  for (let calls: readonly Call[] | undefined = first; calls !== undefined; calls = nextCalls()) {
    for (const group of groups([...calls, ...waitingCalls()])) port.postMessage(perform(group));
  }
});

/** What else has come in by now. */
function waitingCalls(): Call[] {
  const calls: Call[] = [];
  for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
    calls.push(...more.message);
  }
  return calls;
}

/**
 * Looks out for the next call for a moment before going to sleep: whoever just got an answer often has another call,
 * and waking a thread takes longer than that.
 */
function nextCalls(): readonly Call[] | undefined {
  for (const start = performance.now(); performance.now() - start < LOOK_OUT_MS; ) {
    const more = receiveMessageOnPort(port);
    if (more !== undefined) return more.message;
  }
  return undefined;
}

const LOOK_OUT_MS = 0.2;

/** Calls in their order, with the appends, and the changes, of one store joined at the place of the first. */
function groups(calls: readonly Call[]): Call[][] {
  const joined = new Map<string, Call[]>();
  const result: Call[][] = [];
  for (const call of calls) {
    const [, store, op] = call;
    const key = op === "append" || op === "change" ? `${op} ${store}` : undefined;
    const group = key === undefined ? undefined : joined.get(key);
    if (group !== undefined) {
      group.push(call);
      continue;
    }
    const started = [call];
    if (key !== undefined) joined.set(key, started);
    result.push(started);
  }
  return result;
}

function perform(group: Call[]): Answer[] {
  try {
    const values = valuesOf(group);
    return group.map(([number], i) => [number, values[i]]);
  } catch (error) {
    const failure = failureOf(error);
    return group.map(([number]) => [number, null, failure]);
  }
}

/** One value for each call of a group, in order. A group holds one kind of call, as `groups` made it. */
function valuesOf(group: Call[]): unknown[] {
  const [first] = group;
  if (first === undefined) return [];
  const [, target, op, request] = first;
  if (op === "open") return [open(target, request)];
  const store = stores.get(target);
  if (store === undefined) throw new Error("this store is not open");
  switch (op) {
    case "append":
      return store.log.append(group.map((call) => (call as Call<"append">)[3]));
    case "change":
      return store.contents.change(group.map((call) => (call as Call<"change">)[3]));
    case "page":
      return [store.log.page(request)];
    case "marks":
      return [store.log.marks(request.seqs)];
    case "head":
      return [store.log.refreshHead()];
    case "content":
      return [store.contents.get(request.hash, request.bytes)];
    case "changes":
      return [store.contents.change(request)];
    case "list":
      return [store.contents.list(request.after)];
    case "bytes":
      return [bytesOfMany(store.contents, request)];
    case "states":
      return [statesOfMany(store.contents, request.hashes, request.read)];
    case "chunksAt":
      return [store.contents.chunksAt(request.hash, request.from)];
    case "filesOf":
      return [store.contents.filesOf(request.hash)];
    case "find":
      return [store.contents.chunks.find(request.put, request.hashes)];
    case "unpin":
      return [store.contents.chunks.unpin(request.put)];
    case "untidy":
      return [store.contents.chunks.untidy()];
    case "plan":
      return [store.contents.chunks.plan(request.name)];
    case "trim":
      return [store.contents.trim()];
    case "close":
      stores.delete(target);
      return [store.close()];
  }
}

function open(number: number, request: OpenRequest) {
  const store = new StoreFile(request);
  stores.set(number, store);
  return store.opened;
}
