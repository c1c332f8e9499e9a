/** The version of the file. A later one is reached by a step from this one, after a copy is put beside the file. */
export const VERSION = 1;

/**
 * The first five tables are better-auth's, as its own migration makes them, so that a file can be opened without loading it;
 * a test holds them against what it expects. Its `user` is our account, its `account` is one way to sign in: here a password.
 */
export const SCHEMA = `
  CREATE TABLE "user" ("id" text not null primary key, "name" text not null, "email" text not null unique,
    "emailVerified" integer not null, "image" text, "createdAt" date not null, "updatedAt" date not null,
    "username" text unique, "displayUsername" text, "role" text not null default 'member');
  CREATE TABLE "session" ("id" text not null primary key, "expiresAt" date not null, "token" text not null unique,
    "createdAt" date not null, "updatedAt" date not null, "ipAddress" text, "userAgent" text,
    "userId" text not null references "user" ("id") on delete cascade, "byLink" integer);
  CREATE TABLE "account" ("id" text not null primary key, "accountId" text not null, "providerId" text not null,
    "userId" text not null references "user" ("id") on delete cascade, "accessToken" text, "refreshToken" text,
    "idToken" text, "accessTokenExpiresAt" date, "refreshTokenExpiresAt" date, "scope" text, "password" text,
    "createdAt" date not null, "updatedAt" date not null);
  CREATE TABLE "verification" ("id" text not null primary key, "identifier" text not null, "value" text not null,
    "expiresAt" date not null, "createdAt" date not null, "updatedAt" date not null);
  CREATE TABLE "rateLimit" ("id" text not null primary key, "key" text not null unique, "count" integer not null,
    "lastRequest" bigint not null);
  CREATE INDEX "session_userId_idx" on "session" ("userId");
  CREATE INDEX "account_userId_idx" on "account" ("userId");
  CREATE INDEX "verification_identifier_idx" on "verification" ("identifier");

  CREATE TABLE link (account TEXT PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    hash TEXT NOT NULL UNIQUE, expires TEXT NOT NULL) STRICT;
  CREATE TABLE computer (id TEXT PRIMARY KEY, account TEXT REFERENCES user (id) ON DELETE SET NULL,
    name TEXT NOT NULL, created TEXT NOT NULL) STRICT;
  CREATE INDEX computer_account ON computer (account);
  CREATE TABLE secret (one INTEGER PRIMARY KEY CHECK (one = 1), value TEXT NOT NULL) STRICT;
`;
