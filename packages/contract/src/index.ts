export { canonicalise, NotCanonical } from "./canonical.ts";
export { body, bodyAround, FIRST_PREVIOUS, link } from "./chain.ts";
export { ChangeList, Entry, KeyChange, PathChange } from "./change.ts";
export { ContentRef } from "./content.ts";
export {
  type Draft,
  ENVELOPE_VERSION,
  Envelope,
  type KnownEvent,
  parseDraft,
  type Recognised,
  recognise,
} from "./envelope.ts";
export { Id, newId, Sha256, UserId, userIdFrom } from "./ids.ts";
export { Json } from "./json.ts";
export { MAX_DEPTH, MAX_EVENT_BYTES, MAX_INLINE_CHANGES, MAX_SMALL_CONTENT_BYTES } from "./limits.ts";
export { Path } from "./path.ts";
export {
  isBelow,
  keyBytes,
  keyFromBytes,
  parentKey,
  pathBytes,
  pathFromBytes,
  pathFromKey,
  pathKey,
} from "./path-key.ts";
export { type EventType, isEventType, Origin, PAYLOADS, type Payload, Target } from "./payloads.ts";
export { type References, references, referencesOfChanges } from "./references.ts";
export { Signal } from "./signal.ts";
export { Cause, type CauseKind, Source } from "./source.ts";
export {
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
  type TaskValue,
} from "./state.ts";
export { formatSubject, parseSubject, type Subject } from "./subject.ts";
export { AssociateResult, DirectorTask } from "./task.ts";
export { canonicalTypeName, TypeName } from "./type-name.ts";
export { isWindowKey } from "./window-key.ts";
