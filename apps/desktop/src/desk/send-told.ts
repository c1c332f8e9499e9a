import { Unanswered } from "./problem.ts";

/** So long the answer to what was stopped may take. */
const ANSWER_MS = 10_000;

interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob | string;
  readonly signal?: AbortSignal;
  /** Over once the connection is dead. */
  readonly line: AbortSignal;
}

/**
 * Like `fetch`, which doesn't tell how much of a body has gone out. Throws what `fetch` throws. A body that has gone out whole
 * by the time it is stopped is the server's: what became of it only its answer tells, and that is waited for, a while. Where
 * it never comes: `Unanswered`, which `fetch` doesn't tell from what never went out.
 */
export function sendTold(
  path: string,
  { method, headers, body, signal, line }: Asked,
  onSent: (bytes: number) => void,
): Promise<Response> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(method, path);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded }) => onSent(loaded);
  request.onload = () => {
    const type = request.getResponseHeader("content-type") ?? "";
    const wait = request.getResponseHeader("retry-after") ?? "";
    resolve(
      new Response(request.responseText, {
        status: request.status,
        headers: { "content-type": type, "retry-after": wait },
      }),
    );
  };
  let isSent = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  request.onerror = () => reject(isSent ? new Unanswered() : new TypeError("the server can't be reached"));
  request.onabort = () => reject(isSent ? new Unanswered() : (signal?.reason ?? line.reason));
  request.upload.onload = () => {
    isSent = true;
  };
  const stop = () => {
    if (isSent) timer = setTimeout(() => request.abort(), ANSWER_MS);
    else request.abort();
  };
  const giveUp = () => request.abort();
  signal?.addEventListener("abort", stop);
  line.addEventListener("abort", giveUp);
  const settled = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    line.removeEventListener("abort", giveUp);
  };
  promise.then(settled, settled);
  request.send(body);
  return promise;
}
