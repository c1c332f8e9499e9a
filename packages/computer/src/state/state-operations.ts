import type { KnownEvent } from "@choiros/contract";
import type { ChangeTo } from "@choiros/contract/state";
import { failureOf } from "@choiros/log/failure";
import type { Table } from "../thread/operations.ts";
import { type ChangeRow, type ChangesCursor, changesBetween } from "./changes.ts";
import { directPage } from "./direct.ts";
import { type FoundSlice, findSlice } from "./find.ts";
import { type HistoriesCursor, type HistoryRow, historiesSlice } from "./histories.ts";
import { type Applied, type Item, StateFile, Unusable } from "./state-file.ts";
import {
  type HashCursor,
  type PageRequest,
  type Standing,
  StateReader,
  type ValueRow,
  type VersionRow,
} from "./state-reader.ts";
import { type TouchingRequest, type TouchingSlice, touchingSlice } from "./touching.ts";

type Nothing = Record<string, never>;
type At = { readonly at: number | undefined };

/** What the thread does with a computer's state. */
export type StateOperations = {
  /** `unusable` says why a file can't be a state; whoever asked makes another. */
  "state.open": { request: { readonly path: string }; answer: Applied | { readonly unusable: string } };
  "state.apply": { request: readonly Item[]; answer: Applied };
  "state.begin": { request: Applied & { readonly event: KnownEvent }; answer: undefined };
  "state.add": { request: readonly ChangeTo[]; answer: undefined };
  "state.end": { request: Applied; answer: Applied };
  "state.cancel": { request: Nothing; answer: undefined };
  /** Another file takes the state's place. */
  "state.replace": { request: { readonly from: string }; answer: Applied };
  "state.standing": {
    request: At & { readonly kind: number; readonly keys: readonly string[] };
    answer: (Standing | null)[];
  };
  "state.tree": { request: PageRequest; answer: string };
  "state.direct": { request: PageRequest & { readonly under: string }; answer: string };
  "state.find": {
    request: { readonly words: readonly string[]; readonly after: string; readonly limit: number };
    answer: FoundSlice;
  };
  "state.touching": { request: TouchingRequest; answer: TouchingSlice };
  "state.values": {
    request: At & {
      readonly kind: number;
      readonly prefix: string | undefined;
      readonly after: string | undefined;
      readonly limit: number;
    };
    answer: ValueRow[];
  };
  "state.history": {
    request: { readonly kind: number; readonly key: string; readonly before: number; readonly limit: number };
    answer: VersionRow[];
  };
  "state.histories": {
    request: { readonly until: number; readonly cursor: HistoriesCursor | undefined; readonly limit: number };
    answer: { readonly rows: readonly HistoryRow[]; readonly next: HistoriesCursor | undefined };
  };
  "state.changes": {
    request: {
      readonly from: number;
      readonly to: number;
      readonly cursor: ChangesCursor | undefined;
      readonly limit: number;
    };
    answer: { readonly rows: readonly ChangeRow[]; readonly next: ChangesCursor | undefined };
  };
  "state.below": { request: At & { readonly keys: readonly string[] }; answer: boolean[] };
  "state.children": { request: At & { readonly keys: readonly string[] }; answer: number[] };
  "state.counts": { request: Nothing; answer: Record<string, number> };
  /** Whether there is more to gather. */
  "state.gather": { request: { readonly limit: number }; answer: boolean };
  "state.rest": { request: Nothing; answer: undefined };
  "state.close": { request: Nothing; answer: undefined };
  /** A target of its own, which stays what it is while the state goes on. */
  "state.freeze": { request: { readonly path: string }; answer: Applied };
  "state.frozen.hash": {
    request: { readonly after: HashCursor | undefined; readonly limit: number };
    answer: { readonly next: HashCursor } | { readonly digest: string };
  };
  "state.frozen.tree": { request: PageRequest; answer: string };
  "state.thaw": { request: Nothing; answer: undefined };
};

const files = new Map<number, StateFile>();
const frozen = new Map<number, StateReader>();

export const stateOperations: Table<StateOperations> = {
  "state.open": (target, { path }) => {
    try {
      const file = new StateFile(path);
      files.set(target, file);
      return file.applied;
    } catch (error) {
      if (error instanceof Unusable) return { unusable: error.message };
      const { code, message } = failureOf(error);
      if (code === "damaged") return { unusable: message };
      throw error;
    }
  },
  "state.apply": (target, items) => fileOf(target).apply(items),
  "state.begin": (target, item) => void fileOf(target).begin(item),
  "state.add": (target, changes) => void fileOf(target).add(changes),
  "state.end": (target, item) => fileOf(target).end(item),
  "state.cancel": (target) => void fileOf(target).cancel(),
  "state.replace": (target, { from }) => fileOf(target).replace(from),
  "state.standing": (target, { kind, keys, at }) => readerOf(target).standing(kind, keys, past(target, at)),
  "state.tree": (target, request) => readerOf(target).treePage({ ...request, at: past(target, request.at) }),
  "state.direct": (target, request) => directPage(readerOf(target), { ...request, at: past(target, request.at) }),
  "state.find": (target, { words, after, limit }) => findSlice(readerOf(target), words, after, limit),
  "state.touching": (target, request) => touchingSlice(readerOf(target), request),
  "state.values": (target, { kind, at, prefix, after, limit }) =>
    readerOf(target).values(kind, past(target, at), prefix, after, limit),
  "state.history": (target, { kind, key, before, limit }) => readerOf(target).history(kind, key, before, limit),
  "state.histories": (target, { until, cursor, limit }) => historiesSlice(readerOf(target), until, cursor, limit),
  "state.changes": (target, { from, to, cursor, limit }) => changesBetween(readerOf(target), from, to, cursor, limit),
  "state.below": (target, { keys, at }) => readerOf(target).below(keys, past(target, at)),
  "state.children": (target, { keys, at }) => readerOf(target).children(keys, past(target, at)),
  "state.counts": (target) => readerOf(target).counts(),
  "state.gather": (target, { limit }) => readerOf(target).gather(fileOf(target).applied.seq, limit),
  "state.rest": (target) => void readerOf(target).rest(),
  "state.close": (target) => {
    files.get(target)?.close();
    files.delete(target);
    return undefined;
  },
  "state.freeze": (target, { path }) => {
    const reader = new StateReader(path);
    frozen.set(target, reader);
    return reader.freeze();
  },
  "state.frozen.hash": (target, { after, limit }) => frozenOf(target).hashSlice(after, limit),
  "state.frozen.tree": (target, request) => frozenOf(target).treePage(request),
  "state.thaw": (target) => {
    frozen.get(target)?.close();
    frozen.delete(target);
    return undefined;
  },
};

function fileOf(target: number): StateFile {
  const file = files.get(target);
  if (file === undefined) throw new Error("this state is not open");
  return file;
}

function frozenOf(target: number): StateReader {
  const reader = frozen.get(target);
  if (reader === undefined) throw new Error("this state is not frozen");
  return reader;
}

function readerOf(target: number) {
  return fileOf(target).reader;
}

/** What stands now is found in fewer places. Whether a moment is now is known here alone: more may have come in meanwhile. */
function past(target: number, at: number | undefined): number | undefined {
  return at === undefined || at >= fileOf(target).applied.seq ? undefined : at;
}
