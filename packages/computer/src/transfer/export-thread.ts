import { type MessagePort, parentPort } from "node:worker_threads";
import type { Answer, Call } from "@choiros/log";
import { failureOf } from "@choiros/log/failure"; // as in export-file.ts
import { type ContentRow, type ExportedContent, type ExportedEvent, ExportWriter, type Piece } from "./export-file.ts";
import { ExportReader } from "./export-reader.ts";

/** What the thread does with the one file it is for. */
export type ExportOperations = {
  create: { request: string; answer: unknown };
  addEvents: { request: readonly ExportedEvent[]; answer: unknown };
  newContents: { request: readonly ExportedContent[]; answer: string[] };
  setState: { request: { hash: string; state: ExportedContent["state"] }; answer: unknown };
  dropPieces: { request: string; answer: unknown };
  addPieces: { request: readonly Piece[]; answer: unknown };
  finish: { request: Readonly<Record<string, string>>; answer: unknown };
  open: { request: string; answer: Record<string, string> };
  /** A page from this seq on, and one after this hash; empty where there are no more. */
  events: { request: number; answer: ExportedEvent[] };
  contents: { request: string; answer: ContentRow[] };
  piece: { request: { hash: string; number: number }; answer: Uint8Array | undefined };
  close: { request: undefined; answer: unknown };
};

type Table = {
  readonly [Op in keyof ExportOperations]: (request: ExportOperations[Op]["request"]) => ExportOperations[Op]["answer"];
};

const port = parentPort as MessagePort; // this file is the entry of a worker, and nothing else

let writer: ExportWriter | undefined;
let reader: ExportReader | undefined;

const table: Table = {
  create: (path) => {
    writer = new ExportWriter(path);
  },
  addEvents: (events) => writer?.events(events),
  newContents: (contents) => writer?.newContents(contents) ?? [],
  setState: ({ hash, state }) => writer?.setState(hash, state),
  dropPieces: (hash) => writer?.dropPieces(hash),
  addPieces: (pieces) => writer?.pieces(pieces),
  finish: (about) => writer?.finish(about),
  open: (path) => {
    reader = new ExportReader(path);
    return reader.about();
  },
  events: (from) => reader?.events(from) ?? [],
  contents: (after) => reader?.contents(after) ?? [],
  piece: ({ hash, number }) => reader?.piece(hash, number),
  close: () => {
    writer?.abandon();
    reader?.close();
  },
};

port.on("message", (calls: readonly Call<ExportOperations>[]) => {
  for (const call of calls) port.postMessage([perform(call)]);
});

function perform<Op extends keyof ExportOperations>(call: Call<ExportOperations, Op>): Answer {
  const [number, , op, request] = call;
  try {
    return [number, table[op](request)];
  } catch (error) {
    return [number, null, failureOf(error)];
  }
}
