import type { DatabaseSync } from "node:sqlite";
import type { UserId } from "@choiros/contract";
import { ACCOUNT_COLUMNS, ACCOUNT_TABLES, accountOf, NO_PASSWORD } from "./account-table.ts";
import type { EndedSession, Session, SessionLine } from "./accounts.ts";

export type FindSession = (id: string) => Session | undefined;

/** Finds those that stand. Asked with every request, so its statement is made once. */
export function sessionFinder(db: DatabaseSync): FindSession {
  const statement = db.prepare(`
    SELECT ${ACCOUNT_COLUMNS}, session.expiresAt FROM session JOIN ${ACCOUNT_TABLES}
    WHERE session.id = ? AND session.expiresAt > ? AND user.id = session.userId`);
  return (id) => {
    const row = statement.get(NO_PASSWORD, id, now());
    return row === undefined ? undefined : { id, account: accountOf(row), expires: new Date(String(row.expiresAt)) };
  };
}

export function listSessions(db: DatabaseSync, account: UserId): SessionLine[] {
  return db
    .prepare("SELECT * FROM session WHERE userId = ? AND expiresAt > ? ORDER BY createdAt DESC, rowid DESC")
    .all(account, now())
    .map((row) => ({
      id: String(row.id),
      created: String(row.createdAt),
      expires: String(row.expiresAt),
      userAgent: String(row.userAgent ?? ""),
    }));
}

/** Says which it ended, so that whoever serves them can be told. */
export function endSession(db: DatabaseSync, id: string): EndedSession[] {
  return db.prepare("DELETE FROM session WHERE id = ? RETURNING id, userId").all(id).map(ended);
}

export function endSessions(db: DatabaseSync, account: UserId, but = ""): EndedSession[] {
  return db
    .prepare("DELETE FROM session WHERE userId = ? AND id <> ? RETURNING id, userId")
    .all(account, but)
    .map(ended);
}

export function forgetExpired(db: DatabaseSync): void {
  db.prepare("DELETE FROM session WHERE expiresAt <= ?").run(now());
}

function ended(row: Readonly<Record<string, unknown>>): EndedSession {
  return { id: String(row.id), account: String(row.userId) };
}

/** As better-auth writes it: such texts sort as the times do. */
function now(): string {
  return new Date().toISOString();
}
