/** What the end of a name says about a file, as far as apps tell files apart. What says nothing is text until it is looked at. */
export function mediaTypeOf(name: string): string {
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return TYPES.get(ending) ?? "text/plain";
}

const BYTES = "application/octet-stream";
const OFFICE = "application/vnd.openxmlformats-officedocument";
const OPEN = "application/vnd.oasis.opendocument";

/** By type, the endings. */
const ENDINGS: Readonly<Record<string, string>> = {
  [BYTES]: "a bin class dat db dll dylib exe o pyc so sqlite sqlite3 wasm",
  [`${OFFICE}.presentationml.presentation`]: "pptx",
  [`${OFFICE}.spreadsheetml.sheet`]: "xlsx",
  [`${OFFICE}.wordprocessingml.document`]: "docx",
  [`${OPEN}.presentation`]: "odp",
  [`${OPEN}.spreadsheet`]: "ods",
  [`${OPEN}.text`]: "odt",
  "application/epub+zip": "epub",
  "application/gzip": "gz tgz",
  "application/java-archive": "jar",
  "application/json": "json jsonc jsonl jsonld map",
  "application/msword": "doc",
  "application/pdf": "pdf",
  "application/rtf": "rtf",
  "application/vnd.debian.binary-package": "deb",
  "application/vnd.ms-excel": "xls",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.rar": "rar",
  "application/x-7z-compressed": "7z",
  "application/x-apple-diskimage": "dmg",
  "application/x-bzip2": "bz2",
  "application/x-iso9660-image": "iso",
  "application/x-rpm": "rpm",
  "application/x-tar": "tar",
  "application/x-xz": "xz",
  "application/zip": "zip",
  "application/zstd": "zst",
  "audio/aac": "aac",
  "audio/flac": "flac",
  "audio/mp4": "m4a",
  "audio/mpeg": "mp3",
  "audio/ogg": "oga ogg opus",
  "audio/wav": "wav",
  "font/otf": "otf",
  "font/ttf": "ttf",
  "font/woff": "woff",
  "font/woff2": "woff2",
  "image/avif": "avif",
  "image/bmp": "bmp",
  "image/gif": "gif",
  "image/heic": "heic",
  "image/jpeg": "jpeg jpg",
  "image/png": "png",
  "image/svg+xml": "svg",
  "image/tiff": "tif tiff",
  "image/webp": "webp",
  "image/x-icon": "ico",
  "text/css": "css",
  "text/csv": "csv",
  "text/html": "htm html",
  "text/javascript": "cjs js jsx mjs",
  "text/markdown": "markdown md mdx mkd",
  "text/tab-separated-values": "tsv",
  "text/typescript": "cts mts ts tsx",
  "text/x-code": `
  4th apl asn asn1 b bash bf bzl c c++ cc cfg cl clj cljc cljs cljx cmake cob coffee conf cpp cpy cql cr cs
  cxx cyp cypher d dart diff dyalog dyl dylan e ecl edn el elm env erl f f77 f90 f95 factor feature for forth fs fth
  fun go gradle groovy gss h h++ handlebars hbs hh hpp hs hx hxml hxx ini ino intr j2 jade java jinja jinja2 jl ksh
  kt kts less liquid lisp ls ltx lua m ml mli mll mly mm mo mps mrc msc mscgen mscin msgenny nb nq nsh nsi nt nut oz
  p pas patch php php3 php4 php5 php7 phtml pig pl pls pm pp pro properties proto ps1 psd1 psm1 pug pxd pxi py pyw
  pyx q r rb rq rs s sas sass scala scm scss sh sieve siv smackspec sml sparql spec sql ss st styl sv svh swift tcl
  tex toml ttcn ttcn3 ttcnpp ttl v vb vbs vhd vhdl vtl vue wast wat webidl wl wls xq xqm xquery xqy xu xy yaml yml
  ys z80 zsh`,
  "text/xml": "dtd xml xsd xsl",
  "video/mp4": "m4v mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/x-matroska": "mkv",
  "video/x-msvideo": "avi",
};

const TYPES = new Map(
  Object.entries(ENDINGS).flatMap(([type, all]) =>
    all
      .trim()
      .split(/\s+/)
      .map((one) => [one, type]),
  ),
);
