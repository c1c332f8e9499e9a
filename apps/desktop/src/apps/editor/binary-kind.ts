/** What bytes that are no text are, by how they begin; "Binary data" where nobody knows. */
export function binaryKind(bytes: Uint8Array): string {
  const kind = kindOf(bytes);
  if (kind === undefined) return "Binary data";
  const size = kind.size?.(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return size === undefined ? kind.is : `${kind.is}, ${size.join(" × ")}`;
}

/** The media type of a picture that browsers show; `undefined` of anything else. */
export function pictureType(bytes: Uint8Array): string | undefined {
  return kindOf(bytes)?.shown;
}

/** The first bytes as people look at them: place, bytes, letters. */
export function hexLines(bytes: Uint8Array, count: number): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(count, bytes.length); at += ROW) {
    const row = [...bytes.subarray(at, Math.min(at + ROW, count))];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${at.toString(16).padStart(4, "0")}  ${hex.padEnd(ROW * 3)} ${letters}`);
  }
  return lines.join("\n");
}

const ROW = 16;

function kindOf(bytes: Uint8Array): Kind | undefined {
  return KINDS.find(({ at = 0, begins }) => begins.every((byte, i) => byte === null || bytes[at + i] === byte));
}

interface Kind {
  readonly is: string;
  readonly begins: readonly (number | null)[];
  readonly at?: number;
  /** By browsers, as this. */
  readonly shown?: string;
  /** Of a picture. */
  size?(view: DataView): readonly [width: number, height: number] | undefined;
}

const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

/** The more exact ones first. */
const KINDS: readonly Kind[] = [
  {
    is: "PNG picture",
    shown: "image/png",
    begins: [0x89, ...letters("PNG")],
    size: (view) => (view.byteLength < 24 ? undefined : [view.getUint32(16), view.getUint32(20)]),
  },
  { is: "JPEG picture", shown: "image/jpeg", begins: [0xff, 0xd8, 0xff] },
  {
    is: "GIF picture",
    shown: "image/gif",
    begins: letters("GIF8"),
    size: (view) => (view.byteLength < 10 ? undefined : [view.getUint16(6, true), view.getUint16(8, true)]),
  },
  { is: "WebP picture", shown: "image/webp", begins: [...letters("RIFF"), null, null, null, null, ...letters("WEBP")] },
  { is: "WAV sound", begins: [...letters("RIFF"), null, null, null, null, ...letters("WAVE")] },
  { is: "AVIF picture", shown: "image/avif", at: 4, begins: letters("ftypavif") },
  { is: "MP4 video", at: 4, begins: letters("ftyp") },
  { is: "WebM or Matroska video", begins: [0x1a, 0x45, 0xdf, 0xa3] },
  { is: "Ogg sound", begins: letters("OggS") },
  { is: "FLAC sound", begins: letters("fLaC") },
  { is: "MP3 sound", begins: letters("ID3") },
  { is: "MP3 sound", begins: [0xff, 0xfb] },
  { is: "PDF document", begins: letters("%PDF") },
  { is: "ZIP archive, or a document made of one", begins: [...letters("PK"), 3, 4] },
  { is: "gzip archive", begins: [0x1f, 0x8b] },
  { is: "Zstandard archive", begins: [0x28, 0xb5, 0x2f, 0xfd] },
  { is: "xz archive", begins: [0xfd, ...letters("7zXZ")] },
  { is: "bzip2 archive", begins: letters("BZh") },
  { is: "7-Zip archive", begins: [...letters("7z"), 0xbc, 0xaf] },
  { is: "tar archive", at: 257, begins: letters("ustar") },
  { is: "SQLite database", begins: letters("SQLite format 3") },
  { is: "WebAssembly module", begins: [0, ...letters("asm")] },
  { is: "Linux program", begins: [0x7f, ...letters("ELF")] },
  { is: "Windows program", begins: letters("MZ") },
  { is: "macOS program", begins: [0xcf, 0xfa, 0xed, 0xfe] },
  { is: "Java class", begins: [0xca, 0xfe, 0xba, 0xbe] },
  { is: "WOFF2 font", begins: letters("wOF2") },
  { is: "WOFF font", begins: letters("wOFF") },
  { is: "OpenType font", begins: letters("OTTO") },
  { is: "TrueType font", begins: [0, 1, 0, 0, 0] },
  { is: "Git index", begins: letters("DIRC") },
  { is: "Icon", shown: "image/x-icon", begins: [0, 0, 1, 0] },
  { is: "Bitmap picture", shown: "image/bmp", begins: letters("BM") },
];
