import { type Envelope, MAX_SMALL_CONTENT_BYTES, recognise } from "@choiros/contract";
import type { Contents } from "@choiros/log";
import { z } from "zod";

/** More than these nobody reads in a line. */
const MAX_BYTES = 64 * 1024;

const Input = z.object({ argv: z.array(z.string()) });
/** What an agent's tool was about, by the first of these that it was called with. */
const About = z.object({
  ...{ title: z.string().optional(), regex: z.string().optional(), text: z.string().optional() },
  ...{ path: z.string().optional(), job: z.string().optional() },
});
const MOST_CHARACTERS = 200;

/** An event, with the command where it called one, and with the whole of what it asks leave for. */
export async function momentOf(
  contents: Contents,
  event: Envelope,
): Promise<{ readonly command?: string; readonly event: Envelope; readonly whole?: string }> {
  const command = await commandOf(contents, event);
  const whole = await wholeOf(contents, event);
  return { ...(command !== undefined && { command }), event, ...(whole !== undefined && { whole }) };
}

async function wholeOf(contents: Contents, event: Envelope): Promise<string | undefined> {
  if (event.type !== "approval.asked") return undefined;
  const known = recognise(event);
  const whole = known.ok && known.value.type === "approval.asked" ? known.value.payload.whole : undefined;
  if (whole === undefined || whole.size > MAX_SMALL_CONTENT_BYTES) return undefined;
  return textOf(contents, whole.hash).catch(() => undefined); // as below
}

/** As one would type it. */
async function commandOf(contents: Contents, event: Envelope): Promise<string | undefined> {
  if (event.type !== "tool.call") return undefined;
  const known = recognise(event);
  if (!known.ok || known.value.type !== "tool.call") return undefined;
  const { input, tool } = known.value.payload;
  if (input.size > MAX_BYTES) return undefined;
  const said = await inputOf(contents, input.hash).catch(() => undefined); // what is damaged or pruned is for 'verify' to tell
  if (tool === "exec") {
    const argv = Input.safeParse(said).data?.argv;
    return argv && lineOf(argv);
  }
  const about = Object.values(About.safeParse(said).data ?? {}).find((one) => one !== undefined && one !== "");
  return about === undefined ? undefined : `${tool} ${about.slice(0, MOST_CHARACTERS)}`;
}

/** Whoever gives a shell one line typed that line. */
function lineOf(argv: readonly string[]): string {
  const [program = "", option, line] = argv;
  const isLine = argv.length === 3 && ["sh", "bash"].includes(program) && option === "-c" && line !== undefined;
  return isLine ? line : argv.map(quoted).join(" ");
}

async function inputOf(contents: Contents, hash: string): Promise<unknown> {
  const text = await textOf(contents, hash);
  return text === undefined ? undefined : JSON.parse(text);
}

async function textOf(contents: Contents, hash: string): Promise<string | undefined> {
  const bytes = await contents.get(hash);
  if (bytes === undefined) return undefined;
  return Buffer.concat(await Array.fromAsync(bytes)).toString("utf8");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
