import type { UserId } from "@choiros/contract";

/** Owners may do what concerns the whole server; members have their own computers. */
export type Role = "owner" | "member";

export interface Account {
  readonly id: UserId;
  readonly name: string;
  readonly role: Role;
  readonly created: string;
  readonly hasPassword: boolean;
}

/** A computer as its owner calls it. The first one's id is the account's own; others get `{account}-{6 of a-z0-9}`. */
export interface OwnedComputer {
  readonly id: UserId;
  readonly account: UserId;
  readonly name: string;
  readonly created: string;
}

/** Its id names it and opens nothing: the token is in the cookie alone. */
export interface Session {
  readonly id: string;
  readonly account: Account;
  readonly expires: Date;
}

export interface SessionLine {
  readonly id: string;
  readonly created: string;
  readonly expires: string;
  readonly userAgent: string;
}

export interface EndedSession {
  readonly id: string;
  readonly account: UserId;
}

export interface Link {
  readonly token: string;
  readonly expires: Date;
}

export type Added = { readonly ok: true; readonly account: Account } | { readonly ok: false; readonly message: string };
export type Removed = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Who may come in, and whose computer is whose. What can't be done for a reason nobody expected throws an `AccountsError`. */
export interface Accounts {
  /** Refused where the name gives no id, or the id is taken, by an account or by a computer. Makes the first computer's entry too. */
  add(name: string, role: Role): Promise<Added>;
  /** In the order they were made. */
  list(): Promise<Account[]>;
  find(id: UserId): Promise<Account | undefined>;
  /** Its sessions end, its link is void, its computers are nobody's. Never the only owner. */
  remove(id: UserId): Promise<Removed>;

  /** A token that signs in once, within 10 minutes; it makes the account's former one void. Only its hash is stored. */
  link(id: UserId): Promise<Link>;
  /** Whose link this is, without spending it; undefined where it is void. */
  linkOf(token: string): Promise<Account | undefined>;

  computers(account: UserId): Promise<OwnedComputer[]>;
  addComputer(account: UserId, name: string): Promise<OwnedComputer>;
  /** False where there is no such computer. */
  renameComputer(id: UserId, name: string): Promise<boolean>;
  /** Takes out a computer that never came to be. One that has a folder stays. False where nothing was taken out. */
  dropComputer(id: UserId): Promise<boolean>;
  /** The account whose computer this is. */
  holder(computer: UserId): Promise<UserId | undefined>;

  /** Who the `Cookie` header of a request stands for; undefined where that is nobody. Asks the file each time, and only reads. */
  session(cookie: string | undefined): Promise<Session | undefined>;
  /** Makes it last longer; the cookies to set for that, none where it was asked for within a day. */
  prolong(cookie: string): Promise<readonly string[]>;
  /** Those that stand, the newest first. */
  sessions(account: UserId): Promise<SessionLine[]>;
  revoke(sessionId: string): Promise<void>;
  revokeAll(account: UserId): Promise<void>;
  /** Told of each session that ends, whichever way; of one that expired, or that another process ended, when it is noticed. */
  onEnd(listener: (session: EndedSession) => void): () => void;

  /**
   * Answers requests under `/api/auth/`: `POST link`, `POST sign-in/username`, `POST sign-out`, `POST password`.
   * `address` is who asks, for the rate limits.
   */
  handle(request: Request, address: string): Promise<Response>;
  /** Loads now what the first request would load. */
  warm(): Promise<void>;
  close(): void;
}

/** What accounts need to know of the home. */
export interface HomeFolders {
  /** Whose home it is: the first account, where there is none yet. */
  owner(): UserId | undefined;
  /** The computers that have a folder. */
  computers(): readonly UserId[];
}

export interface AccountsOptions {
  readonly file: string;
  readonly home: HomeFolders;
  /** The console's origins, its own first. Asked when first needed: a port may be known only then. */
  readonly origins: () => readonly [string, ...string[]];
  /** Hears what went wrong where no caller could be told. */
  readonly report: (message: string, cause: unknown) => void;
}

export type OpenedAccounts =
  | { readonly ok: true; readonly accounts: Accounts }
  | { readonly ok: false; readonly message: string };
