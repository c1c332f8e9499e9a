import { randomInt } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { UserId } from "@choiros/contract";
import type { HomeFolders, OwnedComputer } from "./accounts.ts";
import { together } from "./accounts-file.ts";

/** Whether a new computer can't have this id. One that is nobody's has it as long as its folder is there. */
export function isTaken(db: DatabaseSync, home: HomeFolders, id: UserId): boolean {
  const row = db.prepare("SELECT account FROM computer WHERE id = ?").get(id);
  return (row !== undefined && row.account !== null) || home.computers().includes(id);
}

/** Gives a computer to an account. An entry of that id that is there already is nobody's, and of a folder that is gone. */
export function assign(db: DatabaseSync, { id, account, name, created }: OwnedComputer): void {
  db.prepare("INSERT OR REPLACE INTO computer (id, account, name, created) VALUES (?, ?, ?, ?)").run(
    id,
    account,
    name,
    created,
  );
}

export function computersOf(db: DatabaseSync, home: HomeFolders, account: UserId): OwnedComputer[] {
  adopt(db, home);
  const rows = db.prepare("SELECT * FROM computer WHERE account = ? ORDER BY created, rowid").all(account);
  return rows.map((row) => ({ id: String(row.id), account, name: String(row.name), created: String(row.created) }));
}

export function addComputer(db: DatabaseSync, home: HomeFolders, account: UserId, name: string): OwnedComputer {
  return together(db, () => {
    let id = idFor(account);
    while (isTaken(db, home, id)) id = idFor(account);
    const computer = { id, account, name, created: new Date().toISOString() };
    assign(db, computer);
    return computer;
  });
}

export function renameComputer(db: DatabaseSync, home: HomeFolders, id: UserId, name: string): boolean {
  adopt(db, home);
  return db.prepare("UPDATE computer SET name = ? WHERE id = ?").run(name, id).changes === 1;
}

export function dropComputer(db: DatabaseSync, home: HomeFolders, id: UserId): boolean {
  if (home.computers().includes(id)) return false;
  return db.prepare("DELETE FROM computer WHERE id = ?").run(id).changes === 1;
}

export type FindHolder = (id: UserId) => UserId | undefined;

/** Asked with almost every request, so its statement is made once. */
export function holderFinder(db: DatabaseSync, home: HomeFolders): FindHolder {
  const find = db.prepare("SELECT account FROM computer WHERE id = ?");
  return (id) => {
    let row = find.get(id);
    if (row === undefined) {
      adopt(db, home);
      row = find.get(id);
    }
    return typeof row?.account === "string" ? row.account : undefined;
  };
}

/** A folder that nobody has and nobody had is the owner's: older homes, and what the command line makes, have such. */
function adopt(db: DatabaseSync, home: HomeFolders): void {
  const known = db.prepare("SELECT 1 FROM computer WHERE id = ?");
  const found = home.computers().filter((id) => known.get(id) === undefined);
  if (found.length === 0) return;
  const insert = db.prepare(`
    INSERT OR IGNORE INTO computer (id, account, name, created)
    SELECT ?, id, ?, ? FROM user WHERE role = 'owner' ORDER BY createdAt, rowid LIMIT 1`);
  for (const id of found) insert.run(id, id, new Date().toISOString());
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Cut where it would be too long for an id. */
function idFor(account: UserId): UserId {
  const chance = Array.from({ length: 6 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
  return UserId.parse(`${account.slice(0, 33).replace(/-+$/, "")}-${chance}`);
}
