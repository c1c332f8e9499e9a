import { type Envelope, recognise } from "@choiros/contract";
import type { Contents } from "@choiros/log";
import { z } from "zod";

/** More than these nobody reads in a line. */
const MAX_BYTES = 64 * 1024;

const Input = z.object({ argv: z.array(z.string()) });

/** An event, with the command where it called one. */
export async function momentOf(
  contents: Contents,
  event: Envelope,
): Promise<{ readonly command?: string; readonly event: Envelope }> {
  const command = await commandOf(contents, event);
  return command === undefined ? { event } : { command, event };
}

/** As one would type it. */
async function commandOf(contents: Contents, event: Envelope): Promise<string | undefined> {
  if (event.type !== "tool.call") return undefined;
  const known = recognise(event);
  if (!known.ok || known.value.type !== "tool.call") return undefined;
  const { input, tool } = known.value.payload;
  if (tool !== "exec" || input.size > MAX_BYTES) return undefined;
  const argv = await argvIn(contents, input.hash).catch(() => undefined); // what is damaged or pruned is for 'verify' to tell
  return argv && lineOf(argv);
}

/** Whoever gives a shell one line typed that line. */
function lineOf(argv: readonly string[]): string {
  const [program, option, line] = argv;
  const isLine = argv.length === 3 && program === "sh" && option === "-c" && line !== undefined;
  return isLine ? line : argv.map(quoted).join(" ");
}

async function argvIn(contents: Contents, hash: string): Promise<readonly string[] | undefined> {
  const bytes = await contents.get(hash);
  if (bytes === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Input.safeParse(JSON.parse(Buffer.concat(pieces).toString("utf8"))).data?.argv;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
