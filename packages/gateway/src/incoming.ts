import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Limits } from "./limits.ts";
import { OperationError } from "./operations/index.ts";

type StreamLimits = Pick<Limits, "idleMs" | "slowMs" | "bytesPerSecond" | "uploadBytes">;

/** What comes is larger than an upload may be. */
export class TooLargeError extends OperationError {
  constructor(bytes: number) {
    const most = `${Math.floor(bytes / 1024 / 1024)} MB`;
    super(
      `an upload has at most ${most} here: nothing was done. Whoever runs the server can set server.upload_mb, or bring it in there with 'choir write', 'choir add' or 'choir import'`,
    );
  }
}

/** A body as it comes. One that is too large, breaks off, pauses for too long or only trickles ends in an error. */
export async function* incoming(
  request: Readable & { readonly headers?: IncomingHttpHeaders },
  { idleMs, slowMs, bytesPerSecond, uploadBytes }: StreamLimits,
): AsyncGenerator<Uint8Array> {
  const large = new TooLargeError(uploadBytes);
  if (Number(request.headers?.["content-length"] ?? 0) > uploadBytes) throw large;
  const start = performance.now();
  let size = 0;
  const pieces = request.iterator({ destroyOnReturn: false }); // or nobody could be answered
  try {
    for (;;) {
      const { done, value: bytes } = await within(idleMs, pieces.next());
      if (done === true) return;
      size += bytes.length;
      if (size > uploadBytes) throw large;
      const took = performance.now() - start;
      if (took > slowMs && size / (took / 1000) < bytesPerSecond) throw new LateError();
      yield bytes;
    }
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw new OperationError("it broke off half way: nothing was done. Send it again");
  }
}

class LateError extends OperationError {
  constructor() {
    super("no more came for too long: nothing was done. Send it again");
  }
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new LateError()), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
