import { existsSync } from "node:fs";
import type { UserId } from "@choiros/contract";
import type { Operation, Work } from "@choiros/gateway/operations";
import { CommandError } from "../command-error.ts";
import type { Environment } from "../config/from-environment.ts";
import { configOf, loadConfig } from "../config/load.ts";
import type { Home } from "../home.ts";
import { isUnsafe } from "../sandbox-of.ts";
import { VERSION } from "../version.ts";
import type { Access, Status } from "./access.ts";
import { describeComputer } from "./describe-computer.ts";
import { FolderPlace, ServerCame } from "./folder-place.ts";
import { SocketAccess } from "./socket-access.ts";

/** Straight to the folder, where no server runs. */
export class FolderAccess implements Access {
  readonly #home: Home;
  readonly #env: Environment;
  readonly #onNotice: (notice: string) => void;

  constructor(home: Home, env: Environment, onNotice: (notice: string) => void) {
    this.#home = home;
    this.#env = env;
    this.#onNotice = onNotice;
  }

  async status(): Promise<Status> {
    const computers = await Promise.all(this.#home.computers().map((id) => describeComputer(this.#home, id)));
    const loaded = await loadConfig({ home: this.#home.path, env: this.#env });
    const unsafe = loaded.ok && isUnsafe(loaded.config); // with a wrong one, no command runs at all
    return { computers, home: this.#home.path, server: null, unsafe, version: VERSION };
  }

  async run<Request, Item, Answer>(
    operation: Operation<Request, Item, Answer>,
    userId: UserId,
    request: Request,
    work: Work<Item>,
  ): Promise<Answer> {
    const missing = absence(this.#home, userId, operation.makes);
    if (missing !== undefined) throw new CommandError(missing);
    const create = operation.makes === "first";
    const who = `choir ${operation.command ?? operation.name}`;
    const config = () => configOf(this.#home.path, this.#env);
    const place = new FolderPlace(this.#home, userId, {
      config,
      create,
      env: this.#env,
      who,
      tellsWait: operation.tellsWait === true,
      work,
      onNotice: this.#onNotice,
    });
    try {
      return await operation.run(place, request, work);
    } catch (error) {
      if (!(error instanceof ServerCame)) throw error;
      return await new SocketAccess(this.#home.socket).run(operation, userId, request, work);
    } finally {
      await place.close();
      this.#noteOwner(userId);
    }
  }

  /** The first computer of a home is its owner's, whatever made it. */
  #noteOwner(userId: UserId): void {
    const made = existsSync(this.#home.storeOf(userId)) && this.#home.computers().length === 1;
    if (made && !existsSync(this.#home.ownerNote)) this.#home.setOwner(userId);
  }
}

/** Why an operation can't be asked of this computer: it isn't there, and isn't to be made by it. */
export function absence(home: Home, userId: UserId, makes: "first" | "new" | undefined): string | undefined {
  if (makes === "new" || existsSync(home.storeOf(userId))) return undefined;
  const others = home.computers();
  const isOwner = (home.owner() ?? userId) === userId;
  if (makes === "first" && others.length === 0 && isOwner) return undefined;
  const hint =
    others.length === 0
      ? "'choir start' makes the first one, and so does 'choir write PATH'"
      : `choose one of these with --user ID: ${others.join(", ")}`;
  return `there is no computer '${userId}' in ${home.path}; ${hint}`;
}
