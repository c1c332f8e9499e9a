import { MAX_MESSAGE_BYTES } from "@choiros/contract";

/** What one socket may do, and how long it is waited for. */
export interface LiveLimits {
  /** How often a peer is asked whether it is still there; who didn't answer twice is dropped. */
  readonly beatMs: number;
  /** By then the first message has to be there. */
  readonly helloMs: number;
  /** Who takes nothing for so long is told, and dropped. */
  readonly slowMs: number;
  /** With more than this not taken yet, nothing more is put in: the log waits, signals are left out. */
  readonly roomBytes: number;
  readonly messageBytes: number;
  readonly messagesPerSecond: number;
  readonly socketsPerUser: number;
  /** Those that haven't said hello, of one session, or of one address where there is none. */
  readonly strangers: number;
  readonly commandsAtOnce: number;
}

export const LIMITS: LiveLimits = {
  beatMs: 15_000,
  helloMs: 10_000,
  slowMs: 30_000,
  roomBytes: 1024 * 1024,
  messageBytes: MAX_MESSAGE_BYTES,
  messagesPerSecond: 500,
  socketsPerUser: 128,
  strangers: 256,
  commandsAtOnce: 32,
};
