const MOST_BYTES = 4 * 1024 * 1024;

/** What a server answers to a question, or why it doesn't: in little time, from where it was asked, and not without end. */
export async function askJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  ms: number,
): Promise<
  { readonly status: number; readonly body: unknown } | { readonly failed: "late" | "unreachable" | "unreadable" }
> {
  const signal = AbortSignal.timeout(ms);
  try {
    const response = await fetch(url, { headers, redirect: "manual", signal });
    const text = await boundedText(response);
    return { status: response.status, body: text === undefined ? undefined : JSON.parse(text) };
  } catch (error) {
    if (signal.aborted) return { failed: "late" };
    return { failed: error instanceof SyntaxError ? "unreadable" : "unreachable" };
  }
}

async function boundedText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) return undefined; // leaving the loop cancels the rest
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
