import { beginning } from "../loop/cut-to-fit.ts";
import type { Glance, Work } from "./dispatch-port.ts";
import { maySee } from "./paths.ts";
import type { Context } from "./tool.ts";

/** No character of UTF-16 takes more bytes of UTF-8. */
const MOST_BYTES_OF_ONE = 3;

/** The beginning of a file's text, where it may be seen; reads no further than that. */
export async function glanceAt(
  key: string,
  { computer }: Pick<Work, "computer">,
  most: number,
  may: Context["may"],
): Promise<Glance | undefined> {
  if (!maySee(key, "file", { may })) return undefined;
  const found = await computer.read(key);
  if (found?.entry.kind !== "file") return undefined;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let [text, size] = ["", 0];
  for await (const chunk of found.bytes()) {
    text += decoder.decode(chunk, { stream: true });
    size += chunk.length;
    if (size > most * MOST_BYTES_OF_ONE) break;
  }
  const shown = beginning(text, most);
  return { text: shown, isWhole: size === found.entry.size && shown.length === text.length };
}
