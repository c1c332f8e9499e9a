import { z } from "zod";

/**
 * A user or a computer: a DNS label, for it stands in subjects, folders and host names. Labels with `--` in the third and
 * fourth place are the DNS's own (`xn--…`): browsers decode them.
 */
export const UserId = z
  .string()
  .regex(
    /^(?!..--)[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
    "must be 1 to 40 of a-z, 0-9 and '-', with no '-' at either end and no '--' in the third place",
  );
export type UserId = z.infer<typeof UserId>;

/** Names one event, ask, task, call or conversation; chosen by whoever makes it, so that a retry is harmless. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 of A-Z, a-z, 0-9, '_' and '-'");
export type Id = z.infer<typeof Id>;

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits");
export type Sha256 = z.infer<typeof Sha256>;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * 26 characters: 10 of time, 16 of chance. Time goes first because ids stand in an index: neighbours
 * in time are neighbours there, and an append touches one page of it instead of a random one.
 */
export function newId(now: number = Date.now()): Id {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let chance = "";
  for (let i = 0; i < 16; i++) chance += ALPHABET.charAt(randomByte() % 32);
  return time + chance;
}

const pool = new Uint8Array(4096);
let used = pool.length;

/** Asking the system for chance costs more than making the rest of an id: ask once for many. */
function randomByte(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  return pool[used++] ?? 0;
}

/** The id for a system user's name: `Jörg.Müller` becomes `jorg-muller`; `undefined` where nothing is left of it. */
export function userIdFrom(name: string): UserId | undefined {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  return UserId.safeParse(slug).data;
}
