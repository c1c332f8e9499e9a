import type { Envelope, UserId } from "@choiros/contract";
import type { Page } from "./log-file.ts";

/*
 * Bodies as events. They are not parsed with a schema again: the thread that read them has held each one against its
 * hash, so it is the text that `append` checked and wrote. A log from elsewhere is verified whole before it is let in.
 */

export function envelopeOf(userId: UserId, body: string, hash: string): Envelope {
  return complete(JSON.parse(body), userId, hash);
}

export function envelopesOf(userId: UserId, page: Page): Envelope[] {
  const bodies: object[] = JSON.parse(page.bodies);
  return bodies.map((body, i) => complete(body, userId, page.hashes.slice(64 * i, 64 * i + 64)));
}

function complete(body: object, userId: UserId, hash: string): Envelope {
  return Object.assign(body, { user_id: userId, hash }) as Envelope;
}
