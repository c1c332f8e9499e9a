import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { UserId } from "@choiros/contract";
import { FolderLock, type Log, Refusal } from "@choiros/log";
import type { FastifyInstance } from "fastify";
import type { Status } from "../access/access.ts";
import { describeComputer } from "../access/describe-computer.ts";
import { CommandError } from "../command-error.ts";
import type { Config } from "../config/schema.ts";
import type { Home } from "../home.ts";
import { isUnsafe } from "../sandbox-of.ts";
import { VERSION } from "../version.ts";
import { Computers, type Told } from "./computers.ts";
import { controlServer } from "./control.ts";
import { type Health, webServer } from "./web.ts";

export interface ServerParts extends Told {
  readonly home: Home;
  readonly owner: UserId;
  readonly config: Config;
}

export interface RunningServer {
  readonly address: string;
  readonly computers: Computers;
  /** What was done on the way that the user should know. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** Wires everything up and listens. Where that fails, what was opened is closed again. */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { home, owner, config, report } = parts;
  const lock = takeHome(home);
  const since = new Date();
  const computers = new Computers(home, config, "choir start", parts);
  const stopping = new AbortController();
  const closers: (() => unknown)[] = [() => lock.release(), () => computers.close()];
  const close = async () => {
    stopping.abort();
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const opened = await computers.open(owner, true);
    if (!opened.ok) throw new CommandError(opened.message);
    const { computer } = opened;
    if (!existsSync(home.ownerNote)) home.setOwner(owner);
    const health = () => healthOf(config, since, computer.log);
    const web = await webServer({ health, report });
    closers.push(() => web.close());
    const second = createServer((request, response) => web.routing(request, response));
    closers.push(() => end(second));
    const address = await listen(web, second, config.server.port, home);
    const server = { address, pid: process.pid, since: since.toISOString() };
    const status = () => statusOf(computers, server, isUnsafe(config));
    const control = controlServer({ computers, status, report, stopping: stopping.signal });
    closers.push(() => control.close());
    await listenOnSocket(control, home);
    return { address, computers, notices: computer.notices, close };
  } catch (error) {
    await close();
    throw error;
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

/** The socket is only as safe as its folder. One that we didn't make is not ours to change. */
function assertOwn(folder: string): void {
  const { mode, uid } = lstatSync(folder);
  const ours = uid === process.getuid?.() && (mode & 0o170777) === 0o040700;
  if (!ours) throw new Error(`${folder} must be a folder of this user's with mode 0700`);
}

/** On both loopback addresses: a browser may try either first, and whoever else held one could pass for us. */
async function listen(web: FastifyInstance, second: Server, port: number, home: Home): Promise<string> {
  try {
    await web.listen({ port, host: "127.0.0.1" });
    const { port: bound } = web.server.address() as AddressInfo; // it listens on a port, not on a path
    await listenOnIpv6(second, bound);
    return `http://localhost:${bound}`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const elsewhere = `set another one in ${home.path}/config.toml ([server] port) or with CHOIR_SERVER_PORT`;
    if (code === "EADDRINUSE") throw new CommandError(`port ${port} is taken by another program: ${elsewhere}`);
    if (code === "EACCES") throw new CommandError(`port ${port} needs more rights than this user has: ${elsewhere}`);
    throw error;
  }
}

async function listenOnIpv6(server: Server, port: number): Promise<void> {
  try {
    server.listen({ port, host: "::1" });
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EAFNOSUPPORT" && code !== "EADDRNOTAVAIL") throw error; // those mean that there is no IPv6 here
  }
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections();
  if (!server.listening) return;
  server.close();
  await once(server, "close");
}

/** What a killed server left at this place is in the way. Nobody listens there: the home is ours. */
async function listenOnSocket(control: FastifyInstance, home: Home): Promise<void> {
  rmSync(home.socket, { force: true });
  await control.listen({ path: home.socket });
}

async function healthOf(config: Config, since: Date, log: Log): Promise<Health> {
  const uptime_s = Math.floor((Date.now() - since.getTime()) / 1000);
  const facts = { live: true, version: VERSION, uptime_s, unsafe: isUnsafe(config) } as const;
  try {
    const { seq } = await log.head();
    for await (const _ of log.read({ from: seq })); // all the way to the disk and back
    return { ...facts, ready: true, log: { engine: config.log.engine } };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...facts, ready: false, log: { engine: config.log.engine, problem } };
  }
}

async function statusOf(computers: Computers, server: Status["server"], unsafe: boolean): Promise<Status> {
  const { home } = computers;
  const described = home.computers().map(async (id) => describeComputer(home, id, await computers.ifOpen(id)));
  return { computers: await Promise.all(described), home: home.path, server, unsafe, version: VERSION };
}
