import { lstat, readdir, realpath } from "node:fs/promises";
import { sep } from "node:path";

/** Why a folder can't be brought into the computer whose root this is: the one is in the other. */
export async function ownFolderFault(folder: string, root: string): Promise<string | undefined> {
  const own = await realpath(root);
  if (isIn(folder, own)) {
    return `${folder} is in this computer's own folder, and what stands in its workspace is kept already`;
  }
  if (isIn(own, folder)) {
    return `${folder} holds this ChoirOS home itself (${root}): add the folders in it that you want, one by one`;
  }
  return undefined;
}

/** Whether a folder is the home of a ChoirOS: with computers in it, which have logs. */
export async function isHome(folder: Buffer): Promise<boolean> {
  const users = Buffer.concat([folder, Buffer.from("/users/")]);
  const ids = await readdir(users, { encoding: "buffer" }).catch(() => []);
  for (const id of ids) {
    const log = Buffer.concat([users, id, Buffer.from("/.choir/log.sqlite")]);
    if ((await lstat(log).catch(() => undefined))?.isFile()) return true;
  }
  return false;
}

function isIn(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
