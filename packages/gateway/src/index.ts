export type {
  Account,
  Accounts,
  AccountsOptions,
  Added,
  EndedSession,
  HomeFolders,
  Link,
  OpenedAccounts,
  OwnedComputer,
  Removed,
  Role,
  Session,
  SessionLine,
} from "./accounts/accounts.ts";
export { AccountsError } from "./accounts/accounts-error.ts";
export { Name } from "./accounts/name.ts";
export { openAccounts } from "./accounts/open-accounts.ts";
export { loadSignIn } from "./accounts/sqlite-accounts.ts";
export { ConsoleTokens } from "./console-token.ts";
export { DeskTokens } from "./desk-tokens.ts";
export { type GatewayParts, gateway } from "./gateway.ts";
export type { Health } from "./routes/health-routes.ts";
export { type SiteNames, Sites } from "./sites.ts";
export type { Steward } from "./steward.ts";
