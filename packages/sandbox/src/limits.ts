/** What one command may use. `Infinity` is no limit. */
export interface Limits {
  /** Of all its processes together. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Cores. More isn't refused, only slower. */
  readonly cpu: number;
  /** Of each process. */
  readonly openFiles: number;
  /** What it leaves in the folder, in `/tmp` and in its home. */
  readonly diskBytes: number;
  /** On stdout and stderr together. */
  readonly outputBytes: number;
  readonly timeMs: number;
}

/** The limits that end a command when they are reached. */
export type LimitName = "memory" | "processes" | "open-files" | "disk" | "output" | "time";

const MB = 1024 * 1024;

export const DEFAULT_LIMITS: Limits = {
  memoryBytes: 2048 * MB,
  processes: 512,
  cpu: 2,
  openFiles: 4096,
  diskBytes: 8192 * MB,
  outputBytes: 64 * MB,
  timeMs: 600_000,
};
