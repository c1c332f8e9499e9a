import type { DeskApi } from "../../desk/api.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { mediaTypeOf } from "../media-type.ts";

/** What can be shown of a file beside its name. */
export type Peek =
  | { readonly is: "text" | "markdown"; readonly text: string; readonly cut: boolean }
  | { readonly is: "picture"; readonly bytes: Blob }
  | { readonly is: "bytes" }
  | { readonly is: "large" }
  | { readonly is: "gone" };

const MOST_TEXT = 256 * 1024;
const MOST_PICTURE = 20_000_000;

/** The beginning of a text, or a picture. Of what is neither, nothing is fetched but its beginning. */
export async function peekAt(desk: DeskApi, { key, entry }: FileLine, signal: AbortSignal): Promise<Peek> {
  if (entry.kind === "dir") return { is: "bytes" };
  const type = mediaTypeOf(key);
  const isPicture = entry.kind === "file" && type.startsWith("image/");
  if (isPicture && entry.size > MOST_PICTURE) return { is: "large" };
  const response = await desk.files.read(key, { signal });
  if (response === undefined) return { is: "gone" };
  if (isPicture) return { is: "picture", bytes: new Blob([await response.arrayBuffer()], { type }) };
  const start = await startOf(response, MOST_TEXT);
  const text = textOf(start);
  if (text === undefined) return { is: "bytes" };
  return { is: type === "text/markdown" ? "markdown" : "text", text, cut: entry.size > start.length };
}

async function startOf(response: Response, most: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const start = new Uint8Array(most);
  let length = 0;
  while (reader !== undefined && length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    start.set(value.subarray(0, most - length), length);
    length = Math.min(most, length + value.length);
  }
  await reader?.cancel();
  return start.subarray(0, length);
}

/** `undefined` where it is no text. A character that the end cuts in two is left out. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined; // not UTF-8: that is the answer
  }
}
