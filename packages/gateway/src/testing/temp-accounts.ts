import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UserId } from "@choiros/contract";
import { onTestFinished } from "vitest";
import type { Accounts, AccountsOptions } from "../accounts/accounts.ts";
import { openAccounts } from "../accounts/open-accounts.ts";

export const ORIGIN = "http://choir.localhost:4000";

/** A home with the owner `ada`, and a folder for each computer that is pushed to `folders`. */
export interface TempAccounts {
  readonly accounts: Accounts;
  readonly options: AccountsOptions;
  readonly folders: UserId[];
  readonly reports: string[];
}

export function tempFile(): string {
  const dir = mkdtempSync(join(tmpdir(), "choir-accounts-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return join(dir, "accounts.sqlite");
}

export function tempAccounts(changed: Partial<AccountsOptions> = {}): TempAccounts {
  const folders: UserId[] = ["ada"];
  const reports: string[] = [];
  const options: AccountsOptions = {
    file: changed.file ?? tempFile(),
    home: { owner: () => "ada", computers: () => folders },
    origins: () => [ORIGIN],
    report: (message, cause) => reports.push(`${message} ${String(cause)}`),
    ...changed,
  };
  return { accounts: reopen(options), options, folders, reports };
}

export function reopen(options: AccountsOptions): Accounts {
  const opened = openAccounts(options);
  if (!opened.ok) throw new Error(opened.message);
  onTestFinished(() => opened.accounts.close());
  return opened.accounts;
}

/** Like a page of the console's, which sends JSON and says where it is from. */
export function post(
  accounts: Accounts,
  path: string,
  body: unknown,
  { cookie, origin = ORIGIN, address = "127.0.0.1" }: { cookie?: string; origin?: string; address?: string } = {},
): Promise<Response> {
  const headers = { "content-type": "application/json", origin, "user-agent": "test", ...(cookie && { cookie }) };
  const request = new Request(`${ORIGIN}/api/auth/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return accounts.handle(request, address);
}

/** What a browser would send back. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Signs in by a new link. */
export async function enter(accounts: Accounts, id: UserId): Promise<string> {
  const { token } = await accounts.link(id);
  const response = await post(accounts, "link", { token });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return cookieOf(response);
}
