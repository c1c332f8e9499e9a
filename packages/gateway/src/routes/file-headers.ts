import { shownPath } from "@choiros/computer";
import type { Entry, Sha256 } from "@choiros/contract";
import type { Site } from "../sites.ts";

/**
 * What a browser may take a file for. Everything a page could run (HTML, scripts, styles) is plain text here: the files
 * are the user's, and the site they come from isn't.
 */
const TYPES: readonly (readonly [type: string, endings: string])[] = [
  ["image/png", "png"],
  ["image/jpeg", "jpg jpeg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/avif", "avif"],
  ["image/bmp", "bmp"],
  ["image/x-icon", "ico"],
  ["image/svg+xml", "svg"],
  ["audio/mpeg", "mp3"],
  ["audio/wav", "wav"],
  ["audio/ogg", "ogg oga opus"],
  ["audio/flac", "flac"],
  ["audio/mp4", "m4a"],
  ["video/mp4", "mp4 m4v"],
  ["video/webm", "webm"],
  ["application/pdf", "pdf"],
  ["application/json", "json"],
  [
    "text/plain; charset=utf-8",
    "txt md csv tsv log html htm xhtml xml css js mjs cjs jsx ts mts tsx vue py rb rs go c h cpp java sh toml yaml yml ini sql",
  ],
];
const TYPE_BY_ENDING = new Map(TYPES.flatMap(([type, endings]) => endings.split(" ").map((ending) => [ending, type])));
const BYTES = "application/octet-stream";

/** Whatever is in it: it is shown as if it came from nowhere, runs nothing and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function typeOf(key: string): string {
  const [, ending = ""] = /\.([^./]+)$/.exec(key) ?? [];
  return TYPE_BY_ENDING.get(ending.toLowerCase()) ?? BYTES;
}

/** On the console's site nothing of a user's is ever shown as a page, only saved. */
export function fileHeaders(
  key: string,
  { kind, hash, mode }: Exclude<Entry, { kind: "dir" }> & { mode?: number },
  { site, download }: { readonly site: Site; readonly download: boolean },
): Record<string, string> {
  const type = kind === "link" ? "text/plain; charset=utf-8" : typeOf(key);
  const how = site.is === "desk" && !download && type !== BYTES ? "inline" : "attachment";
  return {
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "content-disposition": `${how}; filename*=UTF-8''${quoted(shownPath(key).split("/").at(-1) ?? "")}`,
    "content-security-policy": POLICY,
    "content-type": type,
    etag: `"${hash}"`,
    "x-kind": kind,
    ...(mode !== undefined && { "x-mode": mode.toString(8).padStart(4, "0") }),
  };
}

export interface Span {
  readonly from: number;
  readonly length: number;
}

/** What a `Range` asks for. What nobody can read, or is several at once, asks for all of it; `undefined`: nothing is there. */
export function spanOf(range: string | undefined, size: number): Span | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? "") ?? [];
  const all = { from: 0, length: size };
  if (first === undefined || last === undefined || (first === "" && last === "")) return all;
  if (first === "")
    return Number(last) === 0 || size === 0 ? undefined : spanTo(Math.max(0, size - Number(last)), size);
  if (last !== "" && Number(last) < Number(first)) return all;
  if (Number(first) >= size) return undefined;
  return spanTo(Number(first), last === "" ? size : Math.min(size, Number(last) + 1));
}

function spanTo(from: number, to: number): Span {
  return { from, length: to - from };
}

/** Whether one of the tags in an `If-None-Match` is this one. */
export function isNamed(hash: Sha256, tags: string | undefined): boolean {
  return (tags ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === `"${hash}"`);
}

/** As RFC 8187 wants it. */
function quoted(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
