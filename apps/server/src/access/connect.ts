import type { Environment } from "../config/from-environment.ts";
import type { Home } from "../home.ts";
import type { Access } from "./access.ts";
import { FolderAccess } from "./folder-access.ts";
import { serverRuns } from "./server-runs.ts";
import { SocketAccess } from "./socket-access.ts";

/** The running server, where there is one; else the folder itself. `onNotice` hears what was done on opening it. */
export async function connect(home: Home, env: Environment, onNotice: (notice: string) => void): Promise<Access> {
  return (await serverRuns(home)) ? new SocketAccess(home.socket) : new FolderAccess(home, env, onNotice);
}
