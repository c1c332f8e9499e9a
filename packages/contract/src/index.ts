export { type Reason, reasonOf } from "./approval-reason.ts";
export { NO_MODEL } from "./ask.ts";
export { type AskStatus, type AskValue, isOver, isPaused, type PendingValue } from "./ask-state.ts";
export type { Ask, Command, Incomplete, Nothing, When } from "./bar/command.ts";
export { PHRASES, type Phrase, shape } from "./bar/grammar.ts";
export { ACTION_TYPES, isAction, type LookedBack, lastDone, lastUndone, lookBack } from "./bar/last.ts";
export { parseBar } from "./bar/parse.ts";
export { type Suggestion, suggest } from "./bar/suggest.ts";
export { parseWhen } from "./bar/when.ts";
export { canonicalise, NotCanonical } from "./canonical.ts";
export { body, bodyAround, FIRST_PREVIOUS, link } from "./chain.ts";
export { ChangeList, Entry, Kept, KeptChange, KeptList, KeyChange, PathChange } from "./change.ts";
export { namedChanges, shownKey } from "./change-words.ts";
export { ContentRef } from "./content.ts";
export { DEMO_ASK, DEMO_PROVIDER, isDemo } from "./demo.ts";
export {
  type Draft,
  ENVELOPE_VERSION,
  Envelope,
  type KnownEvent,
  parseDraft,
  type Recognised,
  recognise,
} from "./envelope.ts";
export { describeEvent, type EventIcon, isPlainUndo, undoTargetOf } from "./event-words.ts";
export { reasons } from "./faults.ts";
export { documentName, freeName } from "./free-name.ts";
export { Id, newId, Sha256, UserId, userIdFrom } from "./ids.ts";
export { IGNORED_NOTE } from "./ignored-note.ts";
export { Json } from "./json.ts";
export { dollars, leaseWords } from "./lease-words.ts";
export { isLikelySecret } from "./likely-secret.ts";
export {
  MAX_DEPTH,
  MAX_EVENT_BYTES,
  MAX_INLINE_CHANGES,
  MAX_MESSAGE_BYTES,
  MAX_SAID_CHARACTERS,
  MAX_SMALL_CONTENT_BYTES,
} from "./limits.ts";
export { diffLines, type Hunk } from "./lines/diff-lines.ts";
export { type LineSpan, mergeRegions, type Region } from "./lines/merge-regions.ts";
export { type DiffLine, shownDiff } from "./lines/shown-diff.ts";
export { Path } from "./path.ts";
export {
  isBelow,
  isGits,
  keyBytes,
  keyFromBytes,
  parentKey,
  pathBytes,
  pathFromBytes,
  pathFromKey,
  pathKey,
} from "./path-key.ts";
export { type EventType, isEventType, Origin, PAYLOADS, type Payload, Target } from "./payloads.ts";
export { plain, plainLine, plainList, plainText, plainWhole, plainWords } from "./plain.ts";
export { type References, references, referencesOfChanges } from "./references.ts";
export { Signal } from "./signal.ts";
export { Cause, type CauseKind, isForTask, Source, type Who, whoDid } from "./source.ts";
export {
  type ApprovalValue,
  type CallValue,
  type ChangeTo,
  type CheckpointValue,
  type ConversationValue,
  evolve,
  type Fact,
  factsOf,
  INITIAL_STATE,
  inlineChanges,
  type MessageValue,
  messageKey,
  type StateMaps,
  type StateTable,
  TABLES,
} from "./state.ts";
export { formatSubject, parseSubject, type Subject } from "./subject.ts";
export { Apps, Layout, parseApps, parseLayout, parseTheme, SYSTEM_KEYS, Theme, themeText } from "./system.ts";
export { type Doing, keptAllOf, type Taken, takenBackBy, type UndoValue, undoneFirst } from "./taken-back.ts";
export { AssociateResult, DirectorTask } from "./task.ts";
export type { TaskValue } from "./task-state.ts";
export { canonicalTypeName, TypeName } from "./type-name.ts";
export { AppId, WindowKey, WindowState, WindowValue } from "./window.ts";
export { isWindowKey } from "./window-key.ts";
export { withoutMarks } from "./without-marks.ts";
