import { existsSync, readdirSync, readFileSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UserId, userIdFrom } from "@choiros/contract";
import { CommandError, UsageError } from "./command-error.ts";

/** What the system takes for the name of a Unix socket. */
const MAX_SOCKET_BYTES = 107;

/** The kernel's own, of which it says that a folder can be made, and that it isn't there: Node would try for ever. */
const PROC = 0x9fa0;

/** Where everything of a server lies. */
export class Home {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  static at(option: string | undefined, env: NodeJS.ProcessEnv): Home {
    if (option === "") throw new UsageError("--home takes a folder");
    return new Home(option ?? (env.CHOIR_HOME || join(systemHome(), "choiros")));
  }

  /** For its owner alone: the command line's way into a running server. */
  get runFolder(): string {
    return join(this.path, "run");
  }

  get socket(): string {
    return join(this.runFolder, "choir.sock");
  }

  /** What goes out or comes in as a whole lies here meanwhile. */
  get scratch(): string {
    return join(this.runFolder, "transfers");
  }

  /** A line for each answer of the server. */
  get logFile(): string {
    return join(this.runFolder, "server.log");
  }

  /** Who may come in, and whose computer is whose. */
  get accountsFile(): string {
    return join(this.path, "accounts.sqlite");
  }

  /** Where the computers of removed users go, a file each. */
  get exports(): string {
    return join(this.path, "exports");
  }

  exportFile(computer: UserId, at: Date): string {
    return join(this.exports, `${computer}-${at.toISOString().replace(/[:.]/g, "-")}.choir`);
  }

  /** The folder of a computer. */
  rootOf(userId: UserId): string {
    return join(this.path, "users", userId);
  }

  /** The folder of a computer's log and contents. */
  storeOf(userId: UserId): string {
    return join(this.rootOf(userId), ".choir");
  }

  /** Whose home this is: the one it was made for. Homes without that note have one computer. */
  owner(): UserId | undefined {
    if (existsSync(this.ownerNote)) return readOwner(this.ownerNote);
    const [only, ...others] = this.computers();
    return others.length === 0 ? only : undefined;
  }

  /** Whoever comes first: another command may do the same just now. */
  setOwner(userId: UserId): void {
    try {
      writeFileSync(this.ownerNote, `${userId}\n`, { flag: "wx" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }

  get ownerNote(): string {
    return join(this.path, "owner");
  }

  /** Why this can't be a home, before anything is made or asked there. */
  fault(): string | undefined {
    if (existsSync(this.path) && !statSync(this.path).isDirectory()) return `${this.path} is not a folder`;
    const users = join(this.path, "users");
    if (existsSync(users) && !statSync(users).isDirectory()) return `${users} is not a folder`;
    if (statfsSync(nearestAbove(this.path)).type === PROC) return `${this.path} is in /proc, where nothing can be kept`;
    const bytes = Buffer.byteLength(this.socket);
    if (bytes <= MAX_SOCKET_BYTES) return undefined;
    return `${this.path} is too long a name: ${this.socket} has ${bytes} bytes, and a socket's name at most ${MAX_SOCKET_BYTES}`;
  }

  /** The computers in this home, by the folders that are there. */
  computers(): UserId[] {
    const users = join(this.path, "users");
    if (!existsSync(users)) return [];
    return readdirSync(users).filter((name) => UserId.safeParse(name).success && existsSync(this.storeOf(name)));
  }
}

export type Chosen = { readonly ok: true; readonly userId: UserId } | { readonly ok: false; readonly message: string };

/** Whose computer a command is about: the one that is named, else the owner's, else, in a new home, the system user's. */
export function chooseUser(home: Home, option: string | undefined, systemUser: () => string = systemUserName): Chosen {
  if (option !== undefined) {
    const named = UserId.safeParse(option);
    if (named.success) return { ok: true, userId: named.data };
    return { ok: false, message: `'${option}' is not an id: it ${named.error.issues[0]?.message}${exampleOf(option)}` };
  }
  const owner = home.owner();
  if (owner !== undefined) return { ok: true, userId: owner };
  const name = systemUser();
  const own = userIdFrom(name);
  if (own !== undefined) return { ok: true, userId: own };
  const why = name === "" ? "this user has no name in this system" : `no id can be made of the name '${name}'`;
  return { ok: false, message: `${why}: say which id the computer shall have with --user ID, as in --user ada` };
}

function nearestAbove(path: string): string {
  return existsSync(path) ? path : nearestAbove(dirname(path));
}

function exampleOf(option: string): string {
  const id = userIdFrom(option);
  return id === undefined ? "" : `; '${id}' is one`;
}

function readOwner(note: string): UserId {
  const owner = UserId.safeParse(readFileSync(note, "utf8").trim());
  if (owner.success) return owner.data;
  throw new CommandError(`${note} should hold the id of this home's owner, and nothing else`);
}

function systemHome(): string {
  try {
    return homedir();
  } catch {
    throw new UsageError("this user has no home folder in this system: say where everything shall lie with --home DIR");
  }
}

function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return ""; // a user without an entry in /etc/passwd, as in many containers
  }
}
