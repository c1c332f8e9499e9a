export { type Probed, probe } from "./bubblewrap/probe.ts";
export { removeTree } from "./bubblewrap/remove-tree.ts";
export { faultOfHost, spelledHost } from "./egress/allowed-hosts.ts";
export type { Connection } from "./egress/connection.ts";
export { GIT_AND_PACKAGES } from "./egress/git-and-packages.ts";
export { DEFAULT_LIMITS, type LimitName, type Limits } from "./limits.ts";
export { type Opened, type OpenOptions, openSandbox } from "./open-sandbox.ts";
export * from "./sandbox.ts";
export { SandboxError, type SandboxErrorCode } from "./sandbox-error.ts";
