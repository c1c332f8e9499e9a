import { UserId } from "@choiros/contract";
import { z } from "zod";

export const Role = z.enum(["owner", "member"]);
export type Role = z.infer<typeof Role>;

/** An account, as whoever runs the server sees it. */
export const User = z.strictObject({
  computers: z.array(UserId),
  created: z.string(),
  hasPassword: z.boolean(),
  id: UserId,
  name: z.string(),
  role: Role,
});
export type User = z.infer<typeof User>;

/** What became of a computer whose user was removed. */
export const Parted = z.strictObject({
  /** The file that it was exported to; `null` where there was nothing to export, or that failed. */
  export: z.string().nullable(),
  /** Its folder, where that is still there. */
  folder: z.string().nullable(),
  id: UserId,
  problem: z.string().nullable(),
});
export type Parted = z.infer<typeof Parted>;

export const RemovedUser = z.strictObject({ computers: z.array(Parted), id: UserId });
export type RemovedUser = z.infer<typeof RemovedUser>;

export const SignInLink = z.strictObject({
  address: z.string(),
  expires: z.string(),
  id: UserId,
  /** Whether a server is there to open it at. */
  running: z.boolean(),
});
export type SignInLink = z.infer<typeof SignInLink>;

/** Who may come in, for whoever runs the server. What can't be done throws a `CommandError` with the reason. */
export interface Users {
  /** With the user's first computer. */
  add(name: string, role: Role): Promise<User>;
  list(): Promise<User[]>;
  /**
   * Nobody comes in by it any more, then each of its computers is exported to a file, then its folder goes; it stays where
   * `keepFiles` says so, or where the file doesn't hold everything.
   */
  remove(id: UserId, options: { readonly keepFiles: boolean }): Promise<RemovedUser>;
  link(id: UserId): Promise<SignInLink>;
}
