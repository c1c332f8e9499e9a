import { UserId, userIdFrom } from "@choiros/contract";
import { UsageError } from "../command-error.ts";

/** A user as the command line names one: by the id, or by the name that it was made of. */
export function userArgument(word: string): UserId {
  const id = UserId.safeParse(word).data ?? userIdFrom(word);
  if (id !== undefined) return id;
  throw new UsageError(`'${word}' can't be a user: 'choir user list' shows who there is`);
}
