import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { ContentRef } from "@choiros/contract";
import type { Contents } from "@choiros/log";

export interface Output {
  readonly from: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

export interface OutputStreams {
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
}

/**
 * Hands on what a command says as it comes, and keeps it as one content; `undefined` where it says nothing. Once `signal`
 * says so nobody is waited for any more.
 */
export async function recordOutput(
  contents: Contents,
  { stdout, stderr }: OutputStreams,
  onOutput: (output: Output) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<ContentRef | undefined> {
  const kept = new PassThrough();
  const keeping = contents.put(kept);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const onStop = () => stop();
  signal?.addEventListener("abort", onStop);
  const pump = async (from: Output["from"], stream: AsyncIterable<Uint8Array>) => {
    for await (const bytes of stream) {
      if (!kept.write(bytes)) await Promise.race([once(kept, "drain"), keeping]); // a put that fails takes no more
      const taken = signal?.aborted === true ? undefined : onOutput({ from, bytes });
      if (taken !== undefined) await Promise.race([taken, stopped]);
    }
  };
  try {
    await Promise.all([pump("stdout", stdout), pump("stderr", stderr)]);
    kept.end();
  } catch (error) {
    kept.destroy(error instanceof Error ? error : new Error(String(error)));
    await keeping.catch(() => {}); // it fails for the same reason
    throw error;
  } finally {
    signal?.removeEventListener("abort", onStop); // a signal may live for long
  }
  const content = await keeping;
  return content.size === 0 ? undefined : content;
}
