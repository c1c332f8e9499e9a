import { UserId } from "@choiros/contract";
import { z } from "zod";

/** How what the gateway itself knows looks on its way out. */

export const Account = z.strictObject({
  created: z.string(),
  hasPassword: z.boolean(),
  id: UserId,
  name: z.string(),
  role: z.enum(["owner", "member"]),
});

export const Computer = z.strictObject({
  account: UserId,
  created: z.string(),
  /** Where its desktop is. */
  desk: z.string(),
  id: UserId,
  name: z.string(),
});

export const Me = z.strictObject({
  account: Account,
  computers: z.array(Computer),
  session: z.string(),
  /** To be sent along with whatever changes something. */
  token: z.string(),
});

export const SessionLine = z.strictObject({
  created: z.string(),
  current: z.boolean(),
  expires: z.string(),
  id: z.string(),
  userAgent: z.string(),
});

export const DeskToken = z.strictObject({ expires: z.string(), token: z.string() });
