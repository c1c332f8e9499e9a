import { shownPath } from "@choiros/computer";
import { parseTheme, SYSTEM_KEYS, type Theme, themeText } from "@choiros/contract";
import { arrange, write } from "@choiros/gateway/operations";
import { CommandError } from "../command-error.ts";
import { act } from "./act.ts";
import type { CommandCall, ExitCode } from "./command.ts";
import { pathArgument } from "./path-argument.ts";
import { keysIn, textAt } from "./what-is-there.ts";

/** Every open desktop wears it at once: what it looks like is in files. */
export async function changeScheme(call: CommandCall, scheme: Theme["scheme"]): Promise<ExitCode> {
  const there = await textAt(call, SYSTEM_KEYS.theme);
  const worn = there === undefined ? undefined : parseTheme(there);
  if (worn?.ok === false) {
    const name = shownPath(SYSTEM_KEYS.theme);
    const how = `Mend it, or bring an earlier one back (choir history ${name}, then choir restore)`;
    throw new CommandError(`${name} can't be used, and nothing was written over it: ${worn.why}. ${how}`);
  }
  const text = themeText(worn?.value, { scheme });
  return act(call, {
    operation: write,
    request: { key: SYSTEM_KEYS.theme },
    input: Buffer.from(text),
    did: () => `The theme is ${scheme === "system" ? "as your system has it" : scheme}`,
  });
}

/** Without a file, there is none any more. */
export async function changeWallpaper(call: CommandCall, file: string | undefined): Promise<ExitCode> {
  const key = SYSTEM_KEYS.wallpaper;
  const old = (await keysIn(call, "artifacts/system")).has(key) ? [{ remove: { key } }] : [];
  if (file === undefined) {
    if (old.length === 0) throw new CommandError("there is no wallpaper of yours to remove");
    return act(call, { operation: arrange, request: { deeds: old }, did: () => "The wallpaper is removed" });
  }
  const from = pathArgument(file);
  const done = await act(call, {
    operation: arrange,
    request: { deeds: [...old, { copy: { from, to: key } }] },
    did: () => `The wallpaper is ${shownPath(from)}`,
  });
  if (done === 0) call.terminal.aside("A desktop that can't show it as a picture says so, and keeps the one before.");
  return done;
}
