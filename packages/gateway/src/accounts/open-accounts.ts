import { addFirst } from "./account-table.ts";
import type { AccountsOptions, OpenedAccounts } from "./accounts.ts";
import { openFile } from "./accounts-file.ts";
import { forgetExpired } from "./session-table.ts";
import { SqliteAccounts } from "./sqlite-accounts.ts";

/** Opens the accounts of a home, and makes them where there are none. A file that can't be used is left as it is. */
export function openAccounts(options: AccountsOptions): OpenedAccounts {
  const opened = openFile(options.file, (db) => {
    addFirst(db, options.home);
    forgetExpired(db);
  });
  return opened.ok ? { ok: true, accounts: new SqliteAccounts(opened.db, options) } : opened;
}
