/** More than any answer is: what sends on and on is cut off. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * `fetch` for a request that has a key: it goes where it was sent, follows no redirect, and ends what doesn't end by itself.
 * It tells of each piece that comes, and of what became of the connection, which a client makes its own words of.
 */
export function guardedFetch(heard: () => void, lost: (how: "cut" | "endless") => void): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(watched(response.body.getReader(), heard, lost), { status, statusText, headers });
  };
}

/** What is lost ends politely: an error would throw away what is still on its way through the client. */
function watched(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  heard: () => void,
  lost: (how: "cut" | "endless") => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const read = await reader.read().catch(() => undefined);
      if (read === undefined) lost("cut");
      if (read === undefined || read.done) return controller.close();
      heard();
      bytes += read.value.byteLength;
      if (bytes <= MOST_BYTES) return controller.enqueue(read.value);
      lost("endless");
      controller.close();
      await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
