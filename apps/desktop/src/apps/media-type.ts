/** What the end of a name says about a file, as far as apps tell files apart. What says nothing is text until it is looked at. */
export function mediaTypeOf(name: string): string {
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return TYPES[ending] ?? "text/plain";
}

const BYTES = "application/octet-stream";

const TYPES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bin: BYTES,
  class: BYTES,
  css: "text/css",
  csv: "text/csv",
  dat: BYTES,
  db: BYTES,
  dll: BYTES,
  exe: BYTES,
  gif: "image/gif",
  gz: "application/gzip",
  htm: "text/html",
  html: "text/html",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  o: BYTES,
  pdf: "application/pdf",
  png: "image/png",
  pyc: BYTES,
  so: BYTES,
  sqlite: BYTES,
  svg: "image/svg+xml",
  tar: "application/x-tar",
  ts: "text/typescript",
  tsx: "text/typescript",
  wasm: BYTES,
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  zip: "application/zip",
};
