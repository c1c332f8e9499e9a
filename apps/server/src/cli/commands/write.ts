import { shownPath } from "@choiros/computer";
import { Sha256 } from "@choiros/contract";
import { write as operation } from "@choiros/gateway/operations";
import { UsageError } from "../../command-error.ts";
import { act } from "../act.ts";
import type { Command, CommandCall } from "../command.ts";
import { PATH_HELP, pathArgument } from "../path-argument.ts";

export const write: Command = {
  name: "write",
  summary: "put a file into the computer, from standard input",
  positionals: [{ name: "PATH" }],
  usage: "[--mode MODE] [--base HASH]",
  about: PATH_HELP,
  options: { base: { type: "string" }, mode: { type: "string" } },
  optionHelp: [
    ["--mode MODE", "who may do what with it, in octal (default: as it was, 0644 for a new file)"],
    ["--base HASH", "what you had read; where it has changed since, both are merged or kept. 'none': it wasn't there"],
  ],
  examples: [
    ["choir write notes.md < notes.md", "put a file into the workspace; folders on the way are made"],
    ["echo 'echo hello' | choir write --mode 755 hello.sh", "a file that can be run"],
    ["curl -s https://example.com/big.iso | choir write /artifacts/big.iso", "any size: nothing is kept in memory"],
  ],
  run(call) {
    const key = pathArgument(call.words[0] ?? "");
    const request = { key, ...modeOf(call.options), ...baseOf(call.options) };
    return act(call, { operation, request, reads: true, did: ({ beside }) => `Wrote ${shownPath(beside ?? key)}` });
  },
};

function modeOf({ mode }: CommandCall["options"]): { readonly mode?: number } {
  if (mode === undefined) return {};
  if (typeof mode !== "string" || !/^0?[0-7]{1,4}$/.test(mode))
    throw new UsageError(`--mode takes an octal number, as in 644 or 0755, not '${mode}'`);
  const bits = Number.parseInt(mode, 8);
  if (bits > 0o1777)
    throw new UsageError(`--mode takes no setuid or setgid: they are not kept, so leave them out of ${mode}`);
  return { mode: bits };
}

function baseOf({ base }: CommandCall["options"]): { readonly base?: Sha256 | null } {
  if (base === undefined) return {};
  if (base === "none") return { base: null };
  const hash = Sha256.safeParse(base);
  if (hash.success) return { base: hash.data };
  throw new UsageError(
    "--base takes the hash of a file, with its 64 digits, as 'choir files --json' prints it; or 'none'",
  );
}
