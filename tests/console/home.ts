import { join } from "node:path";

/** Whose computer, in which home. */
export interface Home {
  readonly path: string;
  readonly user: string;
}

/** Where its folders are. */
export function rootOf({ path, user }: Home): string {
  return join(path, "users", user);
}
