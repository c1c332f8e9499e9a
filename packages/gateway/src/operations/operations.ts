import {
  add,
  answer,
  changeSettings,
  exporting,
  importing,
  preview,
  rebuild,
  remove,
  restore,
  undo,
  write,
} from "./acting.ts";
import { arrange, changeWindows, leaveAsk, resumeAsk, say } from "./arranging.ts";
import { attend } from "./attending.ts";
import { exec } from "./executing.ts";
import { find, rows } from "./finding.ts";
import type { Operation } from "./operation.ts";
import { agents } from "./readiness.ts";
import {
  cat,
  diff,
  events,
  files,
  histories,
  history,
  listen,
  output,
  settings,
  unfinished,
  verify,
} from "./reading.ts";

/** Everything that can be asked, by its name. A request is unknown until its schema has seen it. */
export const OPERATIONS: ReadonlyMap<string, Operation<unknown, unknown, unknown>> = new Map(
  [
    ...[events, unfinished, verify, files, cat, histories, history, diff, output, listen, settings],
    ...[write, remove, add, answer, changeSettings, undo, preview, restore, rebuild, exporting, importing],
    ...[agents, attend, exec, rows, find, arrange, changeWindows, say, resumeAsk, leaveAsk],
  ].map((operation) => [operation.name, operation]),
);
