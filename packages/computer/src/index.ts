export { faultOfHost, HOME_INSIDE } from "@choiros/sandbox";
export type { Decision } from "./actions/answer-approval.ts";
export type { WindowAct } from "./actions/change-windows.ts";
export { changesOf } from "./change-list.ts";
export { checkKey } from "./check-key.ts";
export type { CommandLine, ExecOptions, ExecOutcome, MayChange, Underway } from "./command/command.ts";
export type {
  ActOptions,
  Captured,
  Computer,
  ComputerReport,
  Deed,
  Exported,
  FileLine,
  Found,
  SayOptions,
  Version,
  Watching,
  Where,
  WriteOptions,
} from "./computer-port.ts";
export { AREAS } from "./folder/names.ts";
export { type OpenComputerOptions, type OpenedComputer, openComputer } from "./open-computer.ts";
export type {
  Blocked,
  Change,
  Choice,
  Choices,
  Conflict,
  Done,
  Outcome,
  Preview,
  Progress,
  Refused,
  TreeChange,
  ValueChange,
} from "./outcome.ts";
export { isPath, shownPath, shownPlace } from "./shown-path.ts";
export { State } from "./state/state.ts";
export { type Imported, type ImportOptions, importComputer } from "./transfer/import-computer.ts";
export { type Described, describeChanges, MAX_SHOWN_BYTES, movedDiff } from "./undo/describe.ts";
