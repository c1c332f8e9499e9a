import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The second token, that only the console's own page can read: a page elsewhere may make a browser send the cookie along,
 * but never this. It belongs to the session and to this run of the server; the page asks for the new one after a restart.
 */
export class ConsoleTokens {
  readonly #key = randomBytes(32);

  of(session: string): string {
    return createHmac("sha256", this.#key).update(session).digest("base64url");
  }

  isOf(session: string, token: string): boolean {
    const [expected, given] = [Buffer.from(this.of(session)), Buffer.from(token)];
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}
