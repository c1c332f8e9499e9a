import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { UserId } from "@choiros/contract";
import { type Accounts, ConsoleTokens, DeskTokens, gateway, loadSignIn, Sites } from "@choiros/gateway";
import { computerAt } from "@choiros/gateway/operations";
import { FolderLock, Refusal } from "@choiros/log";
import type { FastifyInstance } from "fastify";
import type { Status } from "../access/access.ts";
import { describeComputer } from "../access/describe-computer.ts";
import { AgentsHouse } from "../agents/house.ts";
import { stewardOf } from "../agents/steward.ts";
import { CommandError } from "../command-error.ts";
import { type Config, MB } from "../config/schema.ts";
import type { Home } from "../home.ts";
import { isUnsafe, limitsOf } from "../sandbox-of.ts";
import { HomeUsers } from "../users/home-users.ts";
import { openHomeAccounts } from "../users/open-home-accounts.ts";
import type { Users } from "../users/users.ts";
import { VERSION } from "../version.ts";
import { Computers, type Told } from "./computers.ts";
import { controlServer } from "./control.ts";
import { healthOf } from "./health-of.ts";
import { listen } from "./listen.ts";
import { LogFile } from "./log-file.ts";
import { reachOf } from "./reach.ts";

export interface ServerParts extends Told {
  readonly home: Home;
  readonly owner: UserId;
  readonly config: Config;
  /** Where keys may be. */
  readonly env: NodeJS.ProcessEnv;
  /** Takes the lines of the log, where the configuration wants them to be seen. */
  aside(line: string): void;
}

export interface RunningServer {
  readonly accounts: Accounts;
  readonly address: string;
  readonly computers: Computers;
  /** Signs the owner in, once. */
  readonly link: string;
  /** What was done on the way that the user should know. */
  readonly notices: readonly string[];
  /** That it listens on. */
  readonly port: number;
  close(): Promise<void>;
}

/** Wires everything up and listens. Where that fails, what was opened is closed again. */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { home, owner, config, env, report } = parts;
  const reach = reachOf(config.server, home.path);
  const lock = takeHome(home);
  const since = new Date();
  const house = new AgentsHouse(home, env);
  const computers = new Computers({ home, config, who: "choir start", told: parts, house });
  const stopping = new AbortController();
  const log = logOf(parts);
  const closers: (() => unknown)[] = [() => lock.release(), () => log?.close?.(), () => computers.close()];
  const close = async () => {
    stopping.abort();
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    computers.use(owner); // it stays open: what others do to its folder is seen at once, and health asks its log
    const [opened] = await Promise.all([computers.open(owner, true), loadSignIn()]); // other threads open it meanwhile
    if (!opened.ok) throw new CommandError(opened.message);
    const { computer } = opened;
    if (!existsSync(home.ownerNote)) home.setOwner(owner);
    const accounts = openHomeAccounts(home, { owner, origins: () => sites?.consoles ?? [""], report });
    closers.push(() => accounts.close());
    const health = () => healthOf(config, since, computer.log, home);
    const tokens = { consoleTokens: new ConsoleTokens(), deskTokens: new DeskTokens() };
    accounts.onEnd(({ id }) => tokens.deskTokens.end(id));
    let sites: Sites | undefined;
    let address = "";
    const users = usersOf(computers, accounts, () => address, stopping.signal);
    const most = limitsOf(config);
    const web = await gateway({
      ...{ accounts, health, pages: builtPages(), report, tls: reach.tls, trusted: reach.trusted, ...tokens },
      ...(log !== undefined && { log }),
      limits: { uploadBytes: config.server.upload_mb * MB },
      removeUser: (id) => removeUser(users, id),
      openComputers: () => computers.awake.length,
      scratch: emptyScratch(home),
      // whoever may pass has it, also where nothing was done with it yet; and nobody who comes this way sets the limits
      place: (id) => ({ ...computers.place(id, true), most }),
      signals: (id) => computers.signals(id),
      steward: stewardOf(house),
      sites: () => {
        if (sites === undefined) throw new Error("nobody can ask before there is a port");
        return sites;
      },
    });
    const { close: closeOthers, port } = await listen(web, reach, config.server.port, home);
    closers.push(closeOthers, () => web.close()); // web first: the sockets of all end with it
    sites = new Sites(reach.names(port));
    address = reach.address(port);
    const server = { address, pid: process.pid, since: since.toISOString() };
    const status = () => statusOf(computers, server, isUnsafe(config));
    const control = controlServer({ computers, status, report, stopping: stopping.signal, users });
    closers.push(() => control.close());
    await listenOnSocket(control, home);
    const { address: link } = await users.link(owner);
    return { accounts, address, computers, link, port, notices: [...reach.notices, ...computer.notices], close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Beside the server, as both are built; those of now, though others may be built while it runs. */
function builtPages() {
  const built = import.meta.url.endsWith(".mjs") ? "../pages" : "../../../../.build/pages";
  const link = fileURLToPath(new URL(built, import.meta.url));
  const pages = existsSync(link) ? realpathSync(link) : link;
  return { console: join(pages, "console"), desk: join(pages, "desktop") };
}

interface Lines {
  write(line: string): void;
  close?(): Promise<void>;
}

function logOf({ aside, config, home, tell }: ServerParts): Lines | undefined {
  if (config.server.log === "off") return undefined;
  if (config.server.log === "stderr") return { write: (line) => aside(line.trimEnd()) };
  return new LogFile(home.logFile, tell);
}

/** Through the computers that are open here. */
function usersOf(computers: Computers, accounts: Accounts, address: () => string, signal: AbortSignal): Users {
  const { home } = computers;
  return new HomeUsers({
    accounts,
    home,
    running: true,
    address,
    async make(id) {
      const opened = await computers.open(id, true);
      if (!opened.ok) throw new CommandError(opened.message);
    },
    async exportTo(id, file) {
      const computer = await computerAt(computers.place(id));
      return computer.exportTo(file, { signal });
    },
    release: (id) => computers.release(id),
  });
}

/** By the same rules as `choir user remove`. */
async function removeUser(users: Users, id: UserId) {
  try {
    const { computers } = await users.remove(id, { keepFiles: false });
    const exported = computers.flatMap((one) => one.export ?? []);
    return { ok: true as const, exported, problems: computers.flatMap(({ problem }) => problem ?? []) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { ok: false as const, message: error.message };
  }
}

/** One server on one home. */
function takeHome(home: Home): FolderLock {
  try {
    mkdirSync(home.runFolder, { recursive: true, mode: 0o700 });
    assertOwn(home.runFolder);
    return new FolderLock(home.runFolder, "choir start");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof Refusal) throw new CommandError(`a server already runs on ${home.path}: ${why}`);
    throw new CommandError(`${home.path} can't be written to: ${why}. Choose another folder with --home DIR`);
  }
}

/** What a killed server left there is nobody's any more. */
function emptyScratch({ scratch }: Home): string {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { mode: 0o700 });
  return scratch;
}

/** The socket is only as safe as its folder. One that we didn't make is not ours to change. */
function assertOwn(folder: string): void {
  const { mode, uid } = lstatSync(folder);
  const ours = uid === process.getuid?.() && (mode & 0o170777) === 0o040700;
  if (!ours) throw new Error(`${folder} must be a folder of this user's with mode 0700`);
}

/** What a killed server left at this place is in the way. Nobody listens there: the home is ours. */
async function listenOnSocket(control: FastifyInstance, home: Home): Promise<void> {
  rmSync(home.socket, { force: true });
  await control.listen({ path: home.socket });
}

async function statusOf(computers: Computers, server: Status["server"], unsafe: boolean): Promise<Status> {
  const { home } = computers;
  const described = home.computers().map((id) => computers.look(id, (open) => describeComputer(home, id, open)));
  return { computers: await Promise.all(described), home: home.path, server, unsafe, version: VERSION };
}
