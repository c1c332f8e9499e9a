import { mkdirSync } from "node:fs";
import { openComputer } from "@choiros/computer";
import type { UserId } from "@choiros/contract";
import { Sites } from "@choiros/gateway";
import { exporting } from "@choiros/gateway/operations";
import { FolderAccess } from "../access/folder-access.ts";
import { serverRuns } from "../access/server-runs.ts";
import { CommandError } from "../command-error.ts";
import type { Environment } from "../config/from-environment.ts";
import { configOf } from "../config/load.ts";
import type { Home } from "../home.ts";
import { reachOf } from "../server/reach.ts";
import { HomeUsers } from "./home-users.ts";
import { openHomeAccounts } from "./open-home-accounts.ts";
import { SocketUsers } from "./socket-users.ts";
import type { Users } from "./users.ts";

interface Surroundings {
  readonly home: Home;
  readonly env: Environment;
  /** Whose a home becomes that is nobody's yet; undefined where none is to be made. */
  readonly founder?: () => UserId;
  readonly signal: AbortSignal;
  tell(sentence: string): void;
}

/** Does something with the users of a home: through the running server, or in the file itself where none runs. */
export async function withUsers<T>(around: Surroundings, work: (users: Users) => Promise<T>): Promise<T> {
  const { env, home, tell } = around;
  if (await serverRuns(home)) return work(new SocketUsers(home.socket, around.signal));
  const { server } = await configOf(home.path, env);
  const reach = () => reachOf(server, home.path);
  const accounts = openHomeAccounts(home, {
    owner: await ownerOf(around),
    origins: () => new Sites(reach().names(server.port)).consoles,
    report: (error) => tell(String(error)),
  });
  try {
    const address = () => {
      if (server.port !== 0) return reach().address(server.port);
      throw new CommandError("with server.port = 0 the address is known only while a server runs: start one first");
    };
    const release = async () => {};
    const exportTo = (id: UserId, file: string) => exportFrom(around, id, file);
    return await work(new HomeUsers({ accounts, address, exportTo, home, make: maker(home), release, running: false }));
  } finally {
    accounts.close();
  }
}

async function ownerOf({ founder, home }: Surroundings): Promise<UserId> {
  const owner = home.owner() ?? founder?.();
  if (owner === undefined) throw new CommandError(`${home.path} has no user yet: 'choir start' makes the first one`);
  mkdirSync(home.path, { recursive: true, mode: 0o700 });
  if (home.computers().length === 0) await maker(home)(owner);
  home.setOwner(owner); // with a second computer nobody could tell any more whose it is
  return owner;
}

function maker(home: Home): (id: UserId) => Promise<void> {
  return async (userId) => {
    const opened = await openComputer({ root: home.rootOf(userId), userId, create: true, who: "choir user add" });
    if (!opened.ok) throw new CommandError(opened.message);
    await opened.computer.close();
  };
}

function exportFrom({ env, home, signal, tell }: Surroundings, id: UserId, file: string) {
  const ignore = async () => {};
  const work = { input: NOTHING, output: ignore, aside: ignore, item: ignore, progress: () => {}, signal };
  return new FolderAccess(home, env, tell).run(exporting, id, { file }, work);
}

const NOTHING: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };
