import { registerHooks } from "node:module";
import type { AccountsOptions } from "../accounts/accounts.ts";

/** Opens the accounts in a file, does what needs no better-auth, and says what it saw and whether that was loaded. */
const loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (resolved.url.includes("better-auth")) loaded.push(resolved.url);
    return resolved;
  },
});

const { openAccounts } = await import("../accounts/open-accounts.ts");
const options: AccountsOptions = {
  file: process.argv[2] ?? "",
  home: { owner: () => "ada", computers: () => ["ada"] },
  origins: () => ["http://choir.localhost:4000"],
  report: () => {},
};
const opened = openAccounts(options);
if (!opened.ok) throw new Error(opened.message);
const { accounts } = opened;
const { token } = await accounts.link("ada");
await accounts.linkOf(token);
await accounts.session(undefined);
await accounts.session("choir=garbage");
await accounts.computers("ada");
await accounts.revokeAll("ada");
const before = loaded.length;
if (process.argv[3] === "warm") await accounts.warm();
console.log(JSON.stringify({ accounts: await accounts.list(), before, after: loaded.length }));
accounts.close();
