import { randomBytes } from "node:crypto";
import type { UserId } from "@choiros/contract";

/** What a desk's page was given: one computer, in the name of one session, for a while. */
export interface DeskGrant {
  readonly computer: UserId;
  readonly account: UserId;
  readonly session: string;
}

interface Held extends DeskGrant {
  readonly until: number;
}

const DESK_TOKEN_MS = 10 * 60_000;
const TIDY_EVERY = 100;

/**
 * The tokens that desks hold. They are in memory alone: with the server they are gone, and the console gives out new ones.
 * Each dies with its session.
 */
export class DeskTokens {
  readonly #held = new Map<string, Held>();
  readonly #now: () => number;
  #given = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  give(grant: DeskGrant): { readonly token: string; readonly expires: Date } {
    if (++this.#given % TIDY_EVERY === 0) this.#tidy();
    const token = randomBytes(32).toString("base64url");
    const until = this.#now() + DESK_TOKEN_MS;
    this.#held.set(token, { ...grant, until });
    return { token, expires: new Date(until) };
  }

  find(token: string): DeskGrant | undefined {
    const held = this.#held.get(token);
    return held === undefined || held.until <= this.#now() ? undefined : held;
  }

  end(session: string): void {
    for (const [token, held] of this.#held) if (held.session === session) this.#held.delete(token);
  }

  #tidy(): void {
    for (const [token, { until }] of this.#held) if (until <= this.#now()) this.#held.delete(token);
  }
}
