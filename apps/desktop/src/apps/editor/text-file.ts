/** How a file says text. What is read one way is written the same way, so that bytes nobody touched stay as they are. */
export interface Writing {
  readonly charset: "UTF-8" | "UTF-16 LE" | "UTF-16 BE" | "Windows-1252";
  readonly mark: boolean;
  /** Of a file that mixes them, what all its lines could end in. */
  readonly ends: "LF" | "CRLF";
  readonly mixed: boolean;
}

/** Whether a text has the same bytes by both. */
export function isWrittenAlike(one: Writing, two: Writing): boolean {
  const endAlike = one.mixed === two.mixed && (one.mixed || one.ends === two.ends);
  return endAlike && one.charset === two.charset && one.mark === two.mark;
}

export const PLAIN: Writing = { charset: "UTF-8", mark: false, ends: "LF", mixed: false };

export interface TextFile {
  /** Lines end in `\n`, unless the file mixes ends: then a `\r` is a character as any other. */
  readonly text: string;
  readonly writing: Writing;
}

/** The text of these bytes; `undefined` where they are none. */
export function textOf(bytes: Uint8Array): TextFile | undefined {
  const decoded = decode(bytes);
  if (decoded === undefined) return undefined;
  const { raw, charset } = decoded;
  const mark = raw.startsWith(MARK);
  const body = mark ? raw.slice(1) : raw;
  const { ends, mixed } = endsOf(body);
  const text = ends === "CRLF" && !mixed ? body.replaceAll("\r\n", "\n") : body;
  return { text, writing: { charset, mark, ends, mixed } };
}

/** As the file wrote it; what its charset has no letters for, as UTF-8. */
export function bytesOf(text: string, { charset, mark, ends, mixed }: Writing): Uint8Array<ArrayBuffer> {
  const body = ends === "CRLF" && !mixed ? text.replaceAll(/\r?\n/g, "\r\n") : text;
  const narrow = charset === "Windows-1252" ? narrowed(body) : undefined;
  if (narrow !== undefined) return narrow;
  const raw = (mark ? MARK : "") + body;
  if (charset === "UTF-16 LE" || charset === "UTF-16 BE") return wide(raw, charset === "UTF-16 LE");
  return new TextEncoder().encode(raw);
}

const MARK = "\ufeff";
/** Of bytes that aren't UTF-8, so many at most may be nothing that is ever written. */
const MOST_CONTROLS = 0.01;

/** A `\r` within a line couldn't be told from part of an end: where there is one, ends become `\n` or stay as they are. */
function endsOf(body: string): Pick<Writing, "ends" | "mixed"> {
  if (!body.includes("\r\n")) return { ends: "LF", mixed: false };
  if (/\r(?!\n)/.test(body)) return { ends: "LF", mixed: true };
  if (!/(?<!\r)\n/.test(body)) return { ends: "CRLF", mixed: false };
  let more = 0; // lines that end in CR LF, less the others
  for (let at = body.indexOf("\n"); at >= 0; at = body.indexOf("\n", at + 1)) more += body[at - 1] === "\r" ? 1 : -1;
  return { ends: more > 0 ? "CRLF" : "LF", mixed: true };
}

function decode(bytes: Uint8Array): { raw: string; charset: Writing["charset"] } | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe && bytes.length % 2 === 0) return read(bytes, "UTF-16 LE", "utf-16le");
  if (first === 0xfe && second === 0xff && bytes.length % 2 === 0) return read(bytes, "UTF-16 BE", "utf-16be");
  if (bytes.includes(0)) return undefined;
  return read(bytes, "UTF-8", "utf-8") ?? (isWritten(bytes) ? read(bytes, "Windows-1252", "windows-1252") : undefined);
}

function read(bytes: Uint8Array, charset: Writing["charset"], label: string) {
  try {
    return { raw: new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes), charset };
  } catch {
    return undefined; // it isn't that
  }
}

/** Whether somebody may have written it in letters of one byte. */
function isWritten(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) if ((byte < 32 && (byte < 8 || byte > 13) && byte !== 27) || byte === 127) controls++;
  return controls <= bytes.length * MOST_CONTROLS;
}

function narrowed(text: string): Uint8Array<ArrayBuffer> | undefined {
  const all = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const byteOf = new Map([...all].map((letter, byte) => [letter, byte]));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = byteOf.get(text.charAt(i));
    if (byte === undefined) return undefined;
    bytes[i] = byte;
  }
  return bytes;
}

function wide(text: string, little: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), little);
  return new Uint8Array(view.buffer);
}
