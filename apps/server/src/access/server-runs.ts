import { connect as dial } from "node:net";
import { CommandError } from "../command-error.ts";
import type { Home } from "../home.ts";

/** Whether somebody answers at the home's socket. One that a dead server left behind doesn't count. */
export async function serverRuns(home: Home): Promise<boolean> {
  const socket = dial(home.socket);
  try {
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR") return false;
    throw new CommandError(`can't reach ${home.socket}: ${error instanceof Error ? error.message : error}`);
  } finally {
    socket.destroy();
  }
}
