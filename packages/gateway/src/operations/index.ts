/** What can be asked of a computer, without the rest of the gateway: the command line asks the folder itself. */
export {
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
export { arrange, changeWindows, say } from "./arranging.ts";
export { AskedFolder, AskedKey } from "./asked-key.ts";
export { type Attended, attend, type Heard } from "./attending.ts";
export { AskedHost, AskedLimits, AskedVariable, AskedWord, type ExecDone, exec } from "./executing.ts";
export { find, rows } from "./finding.ts";
export { momentOf } from "./moment-of.ts";
export { Moves } from "./moves.ts";
export { computerAt, type Operation, operation, type Place, type Work } from "./operation.ts";
export { OperationError } from "./operation-error.ts";
export { OPERATIONS } from "./operations.ts";
export { type EventQuery, type Head, parseHead, type Verification } from "./queries.ts";
export type { Readiness } from "./readiness.ts";
export { cat, diff, events, files, histories, history, settings, unfinished, verify } from "./reading.ts";
export { seldom } from "./seldom.ts";
export {
  Blocked,
  type Change,
  type Choice,
  type Choices,
  type Conflict,
  Decision,
  type FileLine,
  type Outcome,
  Progress,
  type Said,
  type Shown,
  type Version,
} from "./shapes.ts";
export { whole } from "./whole.ts";
