import { createHash, randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { UserId } from "@choiros/contract";
import type { Link } from "./accounts.ts";

export const LINK_MINUTES = 10;

/** One an account: a new one takes the place of the former. */
export function makeLink(db: DatabaseSync, account: UserId): Link {
  const token = randomBytes(32).toString("base64url");
  const expires = new Date(Date.now() + LINK_MINUTES * 60_000);
  db.prepare("INSERT OR REPLACE INTO link (account, hash, expires) VALUES (?, ?, ?)").run(
    account,
    hashOf(token),
    expires.toISOString(),
  );
  return { token, expires };
}

export function linkedAccount(db: DatabaseSync, token: string): UserId | undefined {
  const row = db.prepare("SELECT account FROM link WHERE hash = ? AND expires > ?").get(hashOf(token), now());
  return row === undefined ? undefined : String(row.account);
}

/** Whose it was. One statement, so that of any who come with it at once, in whichever process, one gets it. */
export function spendLink(db: DatabaseSync, token: string): UserId | undefined {
  const row = db.prepare("DELETE FROM link WHERE hash = ? AND expires > ? RETURNING account").get(hashOf(token), now());
  return row === undefined ? undefined : String(row.account);
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function now(): string {
  return new Date().toISOString();
}
