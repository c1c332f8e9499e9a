import type { Writable } from "node:stream";

/**
 * What runs over the socket, both ways: frames of one kind byte, four bytes of length (the first one is the highest), and
 * the payload. `bytes` and `aside` are raw; all others are JSON.
 */
export interface Frame {
  readonly kind: Kind;
  readonly payload: Uint8Array;
}

/** From the one who asks: `request`, then `bytes`, then `end`. Back: any of the others, and `answer` or `failed` at last. */
const KINDS = ["request", "bytes", "end", "item", "progress", "answer", "failed", "aside"] as const;
export type Kind = (typeof KINDS)[number];

export const FRAMES_TYPE = "application/x-choir-frames";

const HEADER_BYTES = 5;
/** Raw bytes go in pieces; a value has to fit. */
const MAX_BYTES = 1024 * 1024;
const MAX_VALUE_BYTES = 64 * 1024 * 1024;

/** What came isn't what was agreed on, or ended before its end. */
export class BrokenFrames extends Error {
  override name = "BrokenFrames";
}

/** What goes as it is: `bytes`, and what a command writes to standard error. */
type RawKind = "bytes" | "aside";

export function valueFrame(kind: Exclude<Kind, RawKind>, value: unknown): Uint8Array {
  const payload = Buffer.from(JSON.stringify(value));
  if (payload.length > MAX_VALUE_BYTES)
    throw new BrokenFrames(`there is too much to say at once: ${payload.length} bytes`);
  return frameOf(kind, payload);
}

/** As many frames as it takes. */
export function* byteFrames(bytes: Uint8Array, kind: RawKind = "bytes"): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_BYTES) yield frameOf(kind, bytes.subarray(at, at + MAX_BYTES));
}

/** Says nothing: it only finds out whether somebody is still there. */
export const BEAT = frameOf("bytes", new Uint8Array());

export function valueIn(frame: Frame): unknown {
  try {
    return JSON.parse(Buffer.from(frame.payload).toString("utf8"));
  } catch (cause) {
    throw new BrokenFrames(`what came as '${frame.kind}' is no JSON`, { cause });
  }
}

/** The frames of a stream. One that ends inside a frame is broken. */
export async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let wanted = HEADER_BYTES;
  for await (const piece of source) {
    pieces.push(piece);
    held += piece.length;
    if (held < wanted) continue; // a long payload is put together once, not with every piece of it
    let bytes = Buffer.concat(pieces);
    for (;;) {
      wanted = bytes.length < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + lengthIn(bytes);
      if (bytes.length < wanted) break;
      yield { kind: kindIn(bytes), payload: bytes.subarray(HEADER_BYTES, wanted) };
      bytes = bytes.subarray(wanted);
    }
    pieces = [bytes];
    held = bytes.length;
  }
  if (held > 0) throw new BrokenFrames("it ended inside a frame");
}

/** Resolves once there is room for more; rejects where nobody takes it any more. */
export async function send(out: Writable, bytes: Uint8Array): Promise<void> {
  if (out.destroyed) throw new BrokenFrames("the other side is gone");
  if (out.write(bytes)) return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      out.off("drain", onDrain).off("close", onClose).off("error", settle);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onDrain = () => settle();
    const onClose = () => settle(new BrokenFrames("the other side is gone"));
    out.once("drain", onDrain).once("close", onClose).once("error", settle);
  });
}

function frameOf(kind: Kind, payload: Uint8Array): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(KINDS.indexOf(kind), 0);
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

function kindIn(header: Buffer): Kind {
  const kind = KINDS[header.readUInt8(0)];
  if (kind === undefined) throw new BrokenFrames("a frame of an unknown kind came");
  return kind;
}

function lengthIn(header: Buffer): number {
  const length = header.readUInt32BE(1);
  const kind = kindIn(header);
  const most = kind === "bytes" || kind === "aside" ? MAX_BYTES : MAX_VALUE_BYTES;
  if (length > most) throw new BrokenFrames(`a frame of ${length} bytes came, and ${most} are the most there may be`);
  return length;
}
