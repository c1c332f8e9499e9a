import type { DeskFiles } from "../../desk/api.ts";
import { binaryKind, hexLines, pictureType } from "./binary-kind.ts";
import { NO_FILE, type Version } from "./document.ts";
import { PLAIN, textOf, type Writing } from "./text-file.ts";

export const MAX_BYTES = 20_000_000;
const SHOWN_BYTES = 512;

/** What stands at a path, as far as an editor can show it. */
export type Loaded =
  | { readonly is: "text"; readonly version: Version; readonly writing: Writing }
  | (NoText & { readonly hash: string });

type NoText =
  | {
      readonly is: "binary";
      readonly kind: string;
      readonly size: number;
      readonly hex: string;
      /** What begins like one that can be shown; the rest of it may be anything. */
      readonly picture?: Blob;
    }
  | { readonly is: "link"; readonly to: string }
  | { readonly is: "large"; readonly size: number };

/** No file is an empty text that isn't one yet. `at`: as it was after that event. */
export async function load(
  files: DeskFiles,
  key: string,
  options: { readonly at?: number; readonly signal?: AbortSignal } = {},
): Promise<Loaded> {
  const response = await files.read(key, options);
  if (response === undefined) return { is: "text", version: NO_FILE, writing: PLAIN };
  const hash = (response.headers.get("etag") ?? "").replaceAll('"', "");
  const size = Number(response.headers.get("content-length") ?? 0);
  if (size > MAX_BYTES) {
    await response.body?.cancel();
    return { is: "large", size, hash };
  }
  if (response.headers.get("x-kind") === "link") return { is: "link", to: await response.text(), hash };
  const bytes = new Uint8Array(await response.arrayBuffer());
  const file = textOf(bytes);
  if (file === undefined) return { ...binary(bytes), hash };
  return { is: "text", version: { hash, text: file.text }, writing: file.writing };
}

function binary(bytes: Uint8Array<ArrayBuffer>): NoText {
  const type = pictureType(bytes);
  const picture = type === undefined ? {} : { picture: new Blob([bytes], { type }) };
  return { is: "binary", kind: binaryKind(bytes), size: bytes.length, hex: hexLines(bytes, SHOWN_BYTES), ...picture };
}
