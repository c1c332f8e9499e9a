import { shownPath } from "@choiros/computer";
import { find } from "@choiros/gateway/operations";
import { ask } from "./ask.ts";
import type { CommandCall, ExitCode } from "./command.ts";

const MOST = 50;

/** Paths by words in them, the best first, one a line. */
export async function findPaths(call: CommandCall, text: string): Promise<ExitCode> {
  const { json, terminal } = call;
  const { count } = await ask(
    call,
    find,
    { limit: MOST, text },
    {
      item: ({ key, ...line }) =>
        terminal.out(json ? JSON.stringify({ path: shownPath(key), ...line }) : shownPath(key)),
    },
  );
  if (count === 0) terminal.aside("choir: no path has all of these words in it");
  if (count === MOST) terminal.aside(`These are the first ${MOST}: more words find fewer.`);
  return count === 0 ? 1 : 0;
}
