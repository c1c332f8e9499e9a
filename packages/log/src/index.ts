export { changeLines } from "./change-lines.ts";
export type { ContentSource, ContentState, Contents, Packed, Version } from "./contents.ts";
export { localSignals } from "./local/local-signals.ts";
export type { Appended, AppendOptions, Head, Log, Mark, Problem, Query, VerifyOptions, VerifyReport } from "./log.ts";
export { LogError, type LogErrorCode } from "./log-error.ts";
export { messageOf } from "./message-of.ts";
export type { Signals } from "./signals.ts";
export { FolderLock } from "./sqlite/folder-lock.ts";
export { type Opened, type OpenOptions, openStore, type Store } from "./sqlite/open-store.ts";
export { Refusal, type RefusalReason } from "./sqlite/refusal.ts";
export {
  bodyOf,
  type Restored,
  type RestoredContent,
  type RestoredEvent,
  type RestoreOptions,
  restoreStore,
} from "./sqlite/restore-store.ts";
export { type Salvaged, salvage } from "./sqlite/salvage.ts";
export { verifyInThread as verifyStore } from "./sqlite/verify.ts";
export { type Answer, type Call, type Failure, type Operations, Thread, ThreadFailure } from "./thread.ts";
export { amountOf, removeUnnamed, unnamedContents } from "./unnamed-contents.ts";
export { type ContentsReport, type VerifyContentsOptions, verifyContents } from "./verify-contents.ts";
