import { newId, plain, shownKey } from "@choiros/contract";
import type { DeskApi } from "../../desk/api.ts";
import { sentence, Unanswered } from "../../desk/problem.ts";
import { isItsOwn, sendFile } from "../../desk/send-file.ts";
import { count } from "../../words.ts";
import { doingsOf } from "./doings.ts";
import { partsOf } from "./in-parts.ts";
import type { Plan } from "./incoming.ts";
import { cutName, shownName } from "./keys.ts";
import { Moving } from "./moving.ts";

/** So many files are on their way at once. */
const LANES = 3;

/**
 * Brings all of it in, as one that can be undone. What came before it was stopped stays, and can be undone, too. A file that
 * can't come in is told of, and the others come; what stands in the way of all of them ends it.
 */
export async function upload(desk: DeskApi, { files, folders }: Plan, folder: string): Promise<void> {
  const call = newId();
  const calls: string[] = [];
  const moving = new Moving("up");
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  moving.expect(files.length, bytes);
  const missed: string[] = [];
  let failed: unknown;
  let isUnsure = false;
  try {
    calls.push(...(await makeFolders(desk, folders)));
    const waiting = files.values();
    const lane = async () => {
      for (const { key, file } of waiting) {
        if (failed !== undefined) return;
        try {
          await moving.carry(shownName(key), file.size, (told) =>
            sendFile(desk, { key, file, call }, moving.signal, told),
          );
        } catch (error) {
          isUnsure ||= error instanceof Unanswered;
          if (!isItsOwn(error)) throw error;
          missed.push(whyNot(key, error));
          moving.expect(-1, -file.size);
        }
      }
    };
    const lanes = Array.from({ length: LANES }, () => lane().catch((error: unknown) => (failed ??= error)));
    await Promise.all(lanes);
  } catch (error) {
    failed = error;
  }
  moving.end();
  if (moving.files > 0) calls.push(call);
  if (failed !== undefined && failed !== moving.signal.reason) missed.push(sentence(failed));
  tellOf(desk, missed);
  if (calls.length > 0) doingsOf(desk).add(`Uploaded ${wordsFor(files, moving.files)} to ${cutName(folder)}`, calls);
  else if (moving.signal.aborted && !isUnsure) desk.notify({ text: "The upload was stopped. Nothing came in." });
}

/** More than that nobody reads. */
const MOST_TOLD = 5;

function tellOf(desk: DeskApi, [text, ...others]: readonly string[]): void {
  if (text === undefined) return;
  const more = others.length > MOST_TOLD ? [`And ${others.length - MOST_TOLD} more.`] : [];
  const detail = [...others.slice(0, MOST_TOLD), ...more].join(" ");
  desk.notify({ text, kind: "wrong", ...(detail !== "" && { detail }) });
}

/** The server may begin with the path, and there was a name before it. */
function whyNot(key: string, error: unknown): string {
  if (error instanceof Unanswered) return `It isn't known whether ${cutName(key)} came in.`;
  const [said, path] = [plain(sentence(error)), shownKey(key)];
  return `${cutName(key)} wasn't uploaded: ${said.startsWith(`${path} `) ? `it${said.slice(path.length)}` : said}`;
}

function wordsFor(files: Plan["files"], came: number): string {
  const [first] = files;
  if (came < files.length) return `${came} of ${count(files.length, "file")}`;
  return files.length === 1 && first !== undefined ? cutName(first.key) : count(files.length, "file");
}

async function makeFolders(desk: DeskApi, folders: readonly string[]): Promise<string[]> {
  const calls: string[] = [];
  for (const part of partsOf(folders.map((key) => ({ folder: { key } })))) {
    const outcome = await desk.files.arrange(part);
    if (!outcome.ok) throw new Error(outcome.message);
    calls.push(outcome.call);
  }
  return calls;
}
