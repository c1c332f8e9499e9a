import type { Computer, FileLine } from "@choiros/computer";
import { isLikelySecret } from "@choiros/contract";
import { z } from "zod";
import { pathNeed } from "../lease/need.ts";
import { ROOT, shownWord, writtenPath } from "../lease/written-path.ts";
import { maySee, PATH_WORDS } from "./paths.ts";
import type { SearchedText, SearchHit } from "./search-port.ts";
import { TextSearch } from "./search-texts.ts";
import { type Context, failed, type Told, tool } from "./tool.ts";

const MOST_HITS = 100;
/** Larger files aren't looked into. */
const MOST_FILE = 1024 * 1024;
const AT_ONCE = 200;
const AT_ONCE_BYTES = 8 * 1024 * 1024;
const MOST_MS = 10_000;

export const searchFiles = tool({
  name: "search_files",
  description: `Finds lines in the text files of a folder and all below it: by a text, whatever its case, or by a regular expression (JavaScript's, line by line). At most ${MOST_HITS} lines; not in what is ignored, binary, larger than 1 MB, or looks like a secret. ${PATH_WORDS}`,
  input: z.strictObject({
    text: z.string().min(1).max(1000).optional().describe("Either this or regex."),
    regex: z.string().min(1).max(1000).optional(),
    ignore_case: z.boolean().optional().describe("Of a regex."),
    path: z.string().optional().describe("The workspace unless told."),
  }),
  mostBytes: 48 * 1024,
  needs({ path = ".", text, regex }) {
    const written = writtenPath(path);
    if ("why" in written) return written;
    if ((text === undefined) === (regex === undefined)) return { why: "give either a text or a regex" };
    const why = regex === undefined ? undefined : faultOf(regex);
    return why === undefined ? [pathNeed("read", written.key)] : { why };
  },
  async run({ path = ".", text = "", regex, ignore_case }, context) {
    const written = writtenPath(path);
    if ("why" in written) return failed(written.why);
    const pattern = regex ?? RegExp.escape(text);
    const flags = regex === undefined || ignore_case === true ? "iu" : "u";
    const search = new TextSearch({ pattern, flags, most: MOST_HITS + 1 });
    try {
      return await searchIn(written.key, search, context);
    } finally {
      await search.close();
    }
  },
});

function faultOf(regex: string): string | undefined {
  try {
    new RegExp(regex, "u");
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return `the regular expression is wrong: ${error.message}`;
    throw error;
  }
}

async function searchIn(under: string, search: TextSearch, context: Context): Promise<Told> {
  const { work, signal } = context;
  const hits: SearchHit[] = [];
  const end = performance.now() + MOST_MS;
  let [looked, large, hidden] = [0, 0, 0];
  let late = false;
  for await (const lines of batches(work.computer, under)) {
    signal.throwIfAborted();
    const open = lines.filter(({ key }) => maySee(key, "file", context));
    const small = open.filter(({ entry }) => entry.kind === "file" && entry.size <= MOST_FILE);
    hidden += lines.length - open.length;
    large += open.length - small.length;
    looked += small.length;
    const found = await search.look(await textsOf(work.computer, small), Math.max(1, end - performance.now()), signal);
    signal.throwIfAborted();
    hits.push(...(found ?? []));
    late = found === undefined;
    if (late || hits.length > MOST_HITS) break;
  }
  const notes = [
    ...(hits.length > MOST_HITS ? [`… there are more: search in a folder, or for something rarer`] : []),
    ...(late ? [`it took too long and was ended: use a plainer expression, or search in a folder`] : []),
    ...(large > 0 ? [`${large} files were too large to be looked into`] : []),
    ...(hidden > 0 ? [`${hidden} files that look like secrets, or may not be read, were left out`] : []),
  ];
  const shown = hits.slice(0, MOST_HITS).map(({ key, line, text }) => `${shownWord(key)}:${line}: ${text}`);
  const none = hits.length === 0 ? [`nothing was found in ${looked} files`] : [];
  return { status: late ? "failed" : "ok", text: [...none, ...shown, ...notes].join("\n") };
}

/** Files of a folder, or one alone, in batches that aren't too much at once. */
async function* batches(computer: Computer, under: string): AsyncGenerator<FileLine[]> {
  let [batch, size]: [FileLine[], number] = [[], 0];
  for await (const page of pagesOf(computer, under)) {
    for (const line of page) {
      if (line.entry.kind !== "file") continue;
      batch.push(line);
      size += Math.min(line.entry.size, MOST_FILE);
      if (batch.length < AT_ONCE && size < AT_ONCE_BYTES) continue;
      yield batch;
      [batch, size] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}

async function* pagesOf(computer: Computer, under: string): AsyncGenerator<readonly FileLine[]> {
  const found = under.includes("/") ? await computer.read(under) : undefined;
  if (found?.entry.kind === "file")
    return yield [{ key: under, entry: found.entry, seq: 0, secret: isLikelySecret(under) }];
  yield* computer.files(under === ROOT ? {} : { under });
}

async function textsOf(computer: Computer, lines: readonly FileLine[]): Promise<SearchedText[]> {
  const hashes = lines.flatMap(({ entry }) => (entry.kind === "file" ? [entry.hash] : []));
  const small = await computer.contents.getSmall(hashes);
  const texts: SearchedText[] = [];
  for (const { key, entry } of lines) {
    if (entry.kind !== "file") continue;
    const bytes = small.get(entry.hash) ?? (await bytesOf(computer, key));
    if (!bytes.includes(0)) texts.push({ key, text: Buffer.from(bytes).toString("utf8") });
  }
  return texts;
}

async function bytesOf(computer: Computer, key: string): Promise<Uint8Array> {
  const found = await computer.read(key);
  return found === undefined ? new Uint8Array() : Buffer.concat(await Array.fromAsync(found.bytes()));
}
