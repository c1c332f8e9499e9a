import { problemOf } from "../server/problem.ts";

/** More than this isn't shown, and isn't asked for. */
export const MOST_BYTES = 400_000;

export interface FileStart {
  readonly text: string;
  /** Of the whole file. */
  readonly bytes: number;
}

/** Where a path's version of that moment is. */
export function fileUrl(computer: string, key: string, at: number): string {
  return `/api/computers/${computer}/file/${key.split("/").map(encodeURIComponent).join("/")}?at=${at}`;
}

/** The first bytes as text; `undefined` where there is no file at that moment. */
export async function readStart(url: string, signal: AbortSignal): Promise<FileStart | undefined> {
  const response = await fetch(url, { headers: { range: `bytes=0-${MOST_BYTES - 1}` }, signal });
  if (response.status === 404) return undefined;
  const whole = response.headers.get("content-range")?.split("/")[1];
  if (response.status === 416) return { text: "", bytes: 0 }; // nothing has no first byte
  if (!response.ok) throw await problemOf(response);
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder().decode(bytes, { stream: true }); // the last character may be cut in two
  return { text, bytes: Number(whole ?? bytes.byteLength) };
}
