import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { type UserId, userIdFrom } from "@choiros/contract";
import type { Account, Added, HomeFolders, Removed, Role } from "./accounts.ts";
import { together } from "./accounts-file.ts";
import { assign, isTaken } from "./computer-table.ts";
import { Name } from "./name.ts";

/**
 * A hash that no password has. Who has no password gets it, so that signing in takes as long with any name, and gives
 * nothing away.
 */
export const NO_PASSWORD = `${"0".repeat(32)}:${"0".repeat(128)}`;

/** What `accountOf` reads. Takes `NO_PASSWORD` first. */
export const ACCOUNT_COLUMNS =
  "user.id, user.name, user.role, user.createdAt, account.password IS NOT ? AS hasPassword";
export const ACCOUNT_TABLES = "user JOIN account ON account.userId = user.id AND account.providerId = 'credential'";

export function accountOf(row: Readonly<Record<string, unknown>>): Account {
  return {
    id: String(row.id),
    name: String(row.name),
    role: row.role === "owner" ? "owner" : "member",
    created: String(row.createdAt),
    hasPassword: row.hasPassword === 1,
  };
}

export function addAccount(db: DatabaseSync, home: HomeFolders, name: string, role: Role): Added {
  const named = Name.safeParse(name);
  if (!named.success) return { ok: false, message: `a name ${named.error.issues[0]?.message}` };
  const id = userIdFrom(named.data);
  if (id === undefined) {
    return { ok: false, message: `no id can be made of '${named.data}': a name needs some of a-z or 0-9` };
  }
  return together(db, () => {
    const holder = findAccount(db, id);
    if (holder !== undefined) {
      return {
        ok: false,
        message: `'${named.data}' would have the id '${id}', as '${holder.name}' has: choose another name`,
      };
    }
    if (isTaken(db, home, id))
      return { ok: false, message: `there is a computer '${id}' already: choose another name` };
    return { ok: true, account: insert(db, { id, name: named.data, role }) };
  });
}

/** Homes that are older than their accounts: whoever's home it is comes first. */
export function addFirst(db: DatabaseSync, home: HomeFolders): void {
  together(db, () => {
    const owner = home.owner();
    if (owner === undefined || db.prepare("SELECT 1 FROM user LIMIT 1").get() !== undefined) return;
    insert(db, { id: owner, name: owner, role: "owner" });
  });
}

export function listAccounts(db: DatabaseSync): Account[] {
  return db.prepare(`${SELECT} ORDER BY user.createdAt, user.rowid`).all(NO_PASSWORD).map(accountOf);
}

export function findAccount(db: DatabaseSync, id: string): Account | undefined {
  const row = db.prepare(`${SELECT} WHERE user.id = ?`).get(NO_PASSWORD, id);
  return row === undefined ? undefined : accountOf(row);
}

/** `ending` runs with it: what it deletes is gone with the account, or not at all. */
export function removeAccount(db: DatabaseSync, id: UserId, ending: () => void): Removed {
  return together(db, () => {
    const account = findAccount(db, id);
    if (account === undefined) return { ok: false, message: `there is no account '${id}'` };
    const owners = listAccounts(db).filter((other) => other.role === "owner");
    if (account.role === "owner" && owners.length === 1) {
      return { ok: false, message: `'${id}' is the only owner, and a server needs one: add another first` };
    }
    ending();
    db.prepare("DELETE FROM user WHERE id = ?").run(id);
    return { ok: true };
  });
}

const SELECT = `SELECT ${ACCOUNT_COLUMNS} FROM ${ACCOUNT_TABLES}`;

/** With its computer, and with a place for its password. better-auth wants an e-mail; this one can't be anybody's. */
function insert(db: DatabaseSync, { id, name, role }: Pick<Account, "id" | "name" | "role">): Account {
  const created = new Date().toISOString();
  db.prepare(
    `INSERT INTO user (id, name, email, emailVerified, createdAt, updatedAt, username, role)
     VALUES (?, ?, ?, 0, ?, ?, ?, ?)`,
  ).run(id, name, `${id}@choir.invalid`, created, created, id, role);
  db.prepare(
    `INSERT INTO account (id, accountId, providerId, userId, password, createdAt, updatedAt)
     VALUES (?, ?, 'credential', ?, ?, ?, ?)`,
  ).run(randomUUID(), id, id, NO_PASSWORD, created, created);
  assign(db, { id, account: id, name, created });
  return { id, name, role, created, hasPassword: false };
}
