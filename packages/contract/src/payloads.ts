import { z } from "zod";
import { ASK_PAYLOADS } from "./ask.ts";
import { anyChanges, Kept, pathChanges, SettingChanges, WindowChanges } from "./change.ts";
import { ContentRef } from "./content.ts";
import { Id, Sha256 } from "./ids.ts";
import { Path } from "./path.ts";
import { AssociateResult, DirectorTask } from "./task.ts";

const Text = z.string().min(1).max(32_768);
const Reason = z.string().max(4096);
const Seq = z.int().min(1);
const Note = z.strictObject({ content: ContentRef, title: z.string().max(200).exactOptional() });

/** A moment of another log: where a fork or an import began. */
export const Origin = z.strictObject({ hash: Sha256, log_id: Id, seq: Seq });

/** What an undo is aimed at: one event, all that one cause led to, or everything since a moment. */
export const Target = z.union([
  z.strictObject({ seq: Seq }),
  z.strictObject({ call: Id }),
  z.strictObject({ task: Id }),
  z.strictObject({ ask: Id }),
  z.strictObject({ since: z.int().min(0) }),
]);
export type Target = z.infer<typeof Target>;

/**
 * Every type of event, with what it carries. File bytes, tool output and model messages are never here:
 * they are contents, so that forgetting one never changes an event. Which ask, task or call is in the cause.
 */
export const PAYLOADS = {
  "log.created": z.strictObject({ log_id: Id, origin: Origin.exactOptional() }),

  message: z.union([
    z.strictObject({ paths: z.array(Path).max(100).exactOptional(), text: Text }),
    z.strictObject({ content: ContentRef, paths: z.array(Path).max(100).exactOptional() }),
  ]),

  ...ASK_PAYLOADS,

  "task.planned": DirectorTask,
  "task.approved": z.strictObject({ scope: z.enum(["policy", "once", "task", "always"]) }),
  "task.denied": z.strictObject({ reason: Reason.exactOptional() }),
  "task.started": z.strictObject({ attempt: z.int().min(1) }),
  "task.finished": AssociateResult,

  "approval.asked": z.strictObject({
    approval: Id,
    covers: Text,
    /** The call, or the plan, that is to be allowed: `why` may have but a part of it. */
    whole: ContentRef.exactOptional(),
    why: Reason.exactOptional(),
  }),
  "approval.given": z.strictObject({ approval: Id, decision: z.enum(["once", "task", "always", "denied"]) }),

  /** Before the request goes out. The `model.call` that tells what came of it has the id that this one's begins with. */
  "model.asked": z.strictObject({
    model: z.string().min(1).max(200),
    provider: z.string().min(1).max(64),
    request: ContentRef,
    role: z.enum(["director", "associate"]),
  }),
  "model.call": z.strictObject({
    cost_usd: z.number().min(0).nullable(),
    duration_ms: z.int().min(0),
    model: z.string().min(1).max(200),
    provider: z.string().min(1).max(64),
    request: ContentRef,
    response: ContentRef.nullable(),
    role: z.enum(["director", "associate"]),
    /** `interrupted`: nobody was there any more to hear the answer, or all of it. */
    status: z.enum(["ok", "failed", "stopped", "interrupted"]),
    tokens_in: z.int().min(0).nullable(),
    tokens_out: z.int().min(0).nullable(),
  }),

  "tool.call": z.strictObject({ input: ContentRef, tool: z.string().min(1).max(64) }),
  "tool.result": z.strictObject({
    exit: z.int().exactOptional(),
    output: ContentRef.exactOptional(),
    reason: Reason.exactOptional(),
    status: z.enum(["ok", "failed", "denied", "stopped", "interrupted"]),
  }),

  "file.write": pathChanges({}),
  "file.delete": pathChanges({}),
  "file.move": pathChanges({ from: Path, to: Path }),
  "dir.create": pathChanges({}),
  "dir.delete": pathChanges({}),
  "dir.move": pathChanges({ from: Path, to: Path }),
  "files.changed": pathChanges({ by: z.enum(["command", "desk", "outside", "import"]) }),

  "window.open": WindowChanges,
  "window.close": WindowChanges,
  "window.change": WindowChanges,
  "window.focus": WindowChanges,
  "settings.change": SettingChanges,

  "checkpoint.created": z.strictObject({
    at: Seq,
    commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "must be a git commit's hash"),
    message: z.string().max(4096),
    why: z.enum(["asked", "tasks", "time", "deploy"]),
  }),

  undo: anyChanges({ kept: Kept.exactOptional(), target: Target }),

  "deploy.request": z.strictObject({ checkpoint: Seq, deploy: Id }),
  "deploy.result": z.strictObject({
    deploy: Id,
    output: ContentRef.exactOptional(),
    status: z.enum(["ok", "failed"]),
  }),

  "note.observed": Note,
  "note.supposed": Note,
  "note.asked": Note,

  /** `reason`: why it failed, where that isn't what it said. */
  "receipt.check": z.strictObject({
    command: z.string().max(4096),
    exit: z.int(),
    output: ContentRef.exactOptional(),
    reason: Reason.exactOptional(),
  }),
  "receipt.net": z.strictObject({
    allowed: z.boolean(),
    bytes_in: z.int().min(0),
    bytes_out: z.int().min(0),
    host: z.string().min(1).max(253),
    port: z.int().min(1).max(65_535),
  }),
} as const;

export type EventType = keyof typeof PAYLOADS;
export type Payload<Type extends EventType> = z.infer<(typeof PAYLOADS)[Type]>;

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(PAYLOADS, type);
}
