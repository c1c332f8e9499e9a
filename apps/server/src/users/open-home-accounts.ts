import type { UserId } from "@choiros/contract";
import { type Accounts, openAccounts } from "@choiros/gateway";
import { CommandError } from "../command-error.ts";
import type { Home } from "../home.ts";

interface Opening {
  readonly owner: UserId | undefined;
  /** The console's, as soon as they are known. */
  readonly origins: () => readonly [string, ...string[]];
  report(error: unknown): void;
}

export function openHomeAccounts(home: Home, { owner, origins, report }: Opening): Accounts {
  const opened = openAccounts({
    file: home.accountsFile,
    home: { owner: () => owner, computers: () => home.computers() },
    origins,
    report: (message, cause) => report(new Error(message, { cause })),
  });
  if (!opened.ok) throw new CommandError(opened.message);
  return opened.accounts;
}
