import { promisify } from "node:util";
import {
  constants,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from "node:zlib";

const compress = promisify<Uint8Array, ZstdOptions, Buffer>(zstdCompress);
const decompress = promisify<Uint8Array, ZstdOptions, Buffer>(zstdDecompress);

/** Slow enough to find what repeats, quick enough for a background: some milliseconds for what counts as small. */
const LEVEL = 12;
/** For what somebody waits for. Measured on logs, as small as with level 3, in a third of the time. */
const QUICK_LEVEL = 1;

/** The bytes compressed, on the thread pool; against another content, only what differs from it is left. */
export function compressed(bytes: Uint8Array, base?: Uint8Array): Promise<Buffer> {
  return compress(bytes, optionsFor(bytes, base));
}

/** The same for a put under way. */
export function quicklyPacked(bytes: Uint8Array): Promise<Buffer> {
  return compress(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: QUICK_LEVEL },
    pledgedSrcSize: bytes.length,
  });
}

/** The same at once, for a thread that may block. */
export function packed(bytes: Uint8Array, base?: Uint8Array): Buffer {
  return zstdCompressSync(bytes, optionsFor(bytes, base));
}

function optionsFor(bytes: Uint8Array, base: Uint8Array | undefined): ZstdOptions {
  // The whole base must be within reach of the last byte. The tables are as large as that and no larger: by itself the
  // level would take some fifty megabytes for each content, and the system would spend its time on clearing them.
  const reach = Math.ceil(Math.log2(Math.max(1024, bytes.length + (base?.length ?? 0))));
  const params = {
    [constants.ZSTD_c_compressionLevel]: LEVEL,
    [constants.ZSTD_c_windowLog]: reach,
    [constants.ZSTD_c_hashLog]: reach,
    [constants.ZSTD_c_chainLog]: reach,
  };
  return base === undefined ? { params } : { params, dictionary: base };
}

/** Blocks. Throws where it is damaged; what comes out may still be anything, so its hash decides. */
export function expanded(bytes: Uint8Array, size: number, base?: Uint8Array): Buffer {
  const limit = { maxOutputLength: Math.max(1, size) }; // a bit that flipped may promise gigabytes
  return zstdDecompressSync(bytes, base === undefined ? limit : { ...limit, dictionary: base });
}

/** The same on the thread pool. */
export function unpacked(bytes: Uint8Array, size: number): Promise<Buffer> {
  return decompress(bytes, { maxOutputLength: Math.max(1, size) });
}
