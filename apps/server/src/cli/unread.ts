import { OutputClosed } from "../command-error.ts";

/** As a shell tells of a program that wrote where nobody reads. */
export const UNREAD = 141;

/** What comes of something that ended because nobody reads what it writes. */
export function unread(error: unknown): "unread" {
  if (error instanceof OutputClosed) return "unread";
  throw error;
}
