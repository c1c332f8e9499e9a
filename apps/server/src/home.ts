import { existsSync, readdirSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { UserId, userIdFrom } from "@choiros/contract";

/** Where everything of a server lies. */
export class Home {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  static at(option: string | undefined, env: NodeJS.ProcessEnv): Home {
    return new Home(option ?? env.CHOIR_HOME ?? join(homedir(), "choiros"));
  }

  /** For its owner alone: the command line's way into a running server. */
  get runFolder(): string {
    return join(this.path, "run");
  }

  get socket(): string {
    return join(this.runFolder, "choir.sock");
  }

  /** The folder of a computer's log and contents. */
  storeOf(userId: UserId): string {
    return join(this.path, "users", userId, ".choir");
  }

  /** The computers in this home, by the folders that are there. */
  computers(): UserId[] {
    const users = join(this.path, "users");
    if (!existsSync(users)) return [];
    return readdirSync(users).filter((name) => UserId.safeParse(name).success && existsSync(this.storeOf(name)));
  }
}

export type Chosen = { readonly ok: true; readonly userId: UserId } | { readonly ok: false; readonly message: string };

/** Whose computer a command is about: the one that is named, else the only one, else the system user's own. */
export function chooseUser(home: Home, option: string | undefined, systemUser: string = userInfo().username): Chosen {
  if (option !== undefined) {
    const named = UserId.safeParse(option);
    if (named.success) return { ok: true, userId: named.data };
    return { ok: false, message: `'${option}' is not an id: it ${named.error.issues[0]?.message}` };
  }
  const own = userIdFrom(systemUser);
  const computers = home.computers();
  const [only, ...others] = computers;
  if (only !== undefined && others.length === 0) return { ok: true, userId: only };
  if (own !== undefined && (only === undefined || computers.includes(own))) return { ok: true, userId: own };
  const ids = computers.join(", ");
  const why = only === undefined ? `no id can be made of the name '${systemUser}'` : `${home.path} holds ${ids}`;
  return { ok: false, message: `${why}: say which one with --user ID` };
}
