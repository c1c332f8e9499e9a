/** One file or folder of an archive. */
export interface Packed {
  /** Its path there, `/` between its parts; a folder ends with one. */
  readonly path: Uint8Array<ArrayBuffer>;
  readonly bytes: Blob;
  readonly crc: number;
  readonly mode: number;
  readonly changed: Date;
}

/** What fits into an archive that every program reads. */
export const MOST_BYTES = 0xffff_ffff;
export const MOST_FILES = 0xffff;

/** A ZIP archive of these, as they are: what travels is compressed or small anyway. */
export function zipOf(all: readonly Packed[]): Blob {
  const parts: BlobPart[] = [];
  const list: BlobPart[] = [];
  let at = 0;
  let listed = 0;
  for (const one of all) {
    const head = headOf(one, LOCAL);
    parts.push(head, one.path, one.bytes);
    const entry = new Uint8Array(46);
    const view = new DataView(entry.buffer);
    view.setUint32(0, 0x02014b50, true);
    view.setUint16(4, (3 << 8) | 20, true); // made on Unix
    entry.set(head.subarray(4, 30), 6);
    view.setUint32(38, (one.mode << 16) >>> 0, true);
    view.setUint32(42, at, true);
    list.push(entry, one.path);
    at += head.length + one.path.length + one.bytes.size;
    listed += entry.length + one.path.length;
  }
  return new Blob([...parts, ...list, endOf(all.length, listed, at)], { type: "application/zip" });
}

/** The check sum that archives have, piece by piece: from 0 on. */
export function crcOf(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}

const LOCAL = 0x04034b50;
/** Names are UTF-8. */
const UTF8 = 0x0800;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

function headOf({ path, bytes, crc, changed }: Packed, signature: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(30);
  const view = new DataView(head.buffer);
  view.setUint32(0, signature, true);
  view.setUint16(4, 20, true);
  view.setUint16(6, UTF8, true);
  view.setUint16(10, (changed.getHours() << 11) | (changed.getMinutes() << 5) | (changed.getSeconds() >> 1), true);
  const year = Math.max(0, changed.getFullYear() - 1980);
  view.setUint16(12, (year << 9) | ((changed.getMonth() + 1) << 5) | changed.getDate(), true);
  view.setUint32(14, crc, true);
  view.setUint32(18, bytes.size, true);
  view.setUint32(22, bytes.size, true);
  view.setUint16(26, path.length, true);
  return head;
}

function endOf(count: number, listed: number, at: number): Uint8Array<ArrayBuffer> {
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, listed, true);
  view.setUint32(16, at, true);
  return end;
}
