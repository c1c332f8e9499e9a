import type { FastifyInstance, FastifyRequest } from "fastify";

/** How much of everything one caller gets. */
export interface Limits {
  /** Requests of one session, desk or address within a minute. */
  readonly perMinute: number;
  /** A body of JSON has to be there within so long, and has at most so many bytes. */
  readonly bodyMs: number;
  readonly bodyBytes: number;
  /** Of what comes as a stream, the next piece has to be there within so long. */
  readonly idleMs: number;
  /** Of what goes out as a stream, something has to be taken within so long. */
  readonly takenMs: number;
  /** What comes as a stream for longer than `slowMs` has to come at this rate at least. */
  readonly bytesPerSecond: number;
  readonly slowMs: number;
  /** What comes as a stream has at most so many bytes. */
  readonly uploadBytes: number;
}

export const LIMITS: Limits = {
  perMinute: 3000,
  bodyMs: 30_000,
  bodyBytes: 65_536,
  idleMs: 30_000,
  takenMs: 60_000,
  bytesPerSecond: 1024,
  slowMs: 60_000,
  uploadBytes: 10_240 * 1024 * 1024,
};

/** Says how many seconds somebody has to wait, who asked too often; undefined for all others. */
export type Rate = (request: FastifyRequest) => Promise<number | undefined>;

/** Counted by who asks: a session, the account behind a desk, or an address. Also what is refused counts. */
export function rateOf(app: FastifyInstance, { perMinute }: Limits): Rate {
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: ({ asker, ip }) => asker.session?.id ?? asker.desk?.account ?? ip,
  });
  return async (request) => {
    const counted = await count(request);
    return !counted.isAllowed && counted.isExceeded ? counted.ttlInSeconds : undefined;
  };
}

class LateBody extends Error {
  override readonly message = "The body took too long to come: nothing was done. Send it again.";
  readonly statusCode = 408;
}

/** What still comes of a body when its answer is there is not read: the connection ends with it. */
export function endUnread(app: FastifyInstance): void {
  app.addHook("onSend", async ({ headers, raw }, reply) => {
    const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    if (hasBody && !raw.complete) reply.header("connection", "close");
  });
}

/** A body that is read as a whole has to be there in time. Those that come as streams have limits of their own. */
export function limitBodies(app: FastifyInstance, { bodyMs }: Limits): void {
  const waiting = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  const isThere = async (request: FastifyRequest) => clearTimeout(waiting.get(request));
  app.addHook("preParsing", async (request, _reply, payload) => {
    const timer = setTimeout(() => payload.emit("error", new LateBody()), bodyMs);
    waiting.set(request, timer);
    request.raw.once("close", () => clearTimeout(timer)); // one that breaks off gets no answer, and nobody waits for it
    return payload;
  });
  app.addHook("preValidation", isThere);
  app.addHook("onResponse", isThere); // what can't be read is answered at once
}
