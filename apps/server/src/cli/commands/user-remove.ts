import type { Parted } from "../../users/users.ts";
import type { Command } from "../command.ts";
import { userArgument } from "../user-argument.ts";

export const userRemove: Command = {
  name: "user remove",
  summary: "sign somebody out for good; their computers go to a file each",
  positionals: [{ name: "NAME" }],
  usage: "[--keep-files]",
  about: [
    "Their sessions end at once. Then each of their computers is exported to HOME/exports, and its folder is removed.",
    "Where an export fails, or doesn't hold everything, the folder stays; that is said, with exit code 1.",
    "'choir import FILE --user ID' makes a computer of an export again.",
  ],
  options: { "keep-files": { type: "boolean" } },
  optionHelp: [["--keep-files", "export, and leave the folders where they are"]],
  examples: [
    ["choir user remove bob", "bob can't sign in any more; what he had is in a file"],
    ["choir user remove bob --json | jq -r '.computers[].export'", "the files, for a script"],
  ],
  async run({ env, home, json, options, terminal, words }) {
    const id = userArgument(words[0] ?? "");
    const { withUsers } = await import("../../users/connect-users.ts"); // no other command needs accounts
    const tell = (sentence: string) => terminal.aside(sentence);
    const removed = await withUsers({ env, home, signal: terminal.signal, tell }, (users) =>
      users.remove(id, { keepFiles: options["keep-files"] === true }),
    );
    const lines = [`Removed ${id}.`, ...removed.computers.flatMap(linesOf)];
    for (const line of json ? [JSON.stringify(removed)] : lines) await terminal.out(line);
    const failed = removed.computers.filter(({ problem }) => problem !== null);
    for (const { id, problem } of failed) terminal.aside(`choir: the computer ${id}: ${problem}`);
    return failed.length === 0 ? 0 : 1;
  },
};

function linesOf({ export: file, folder, id }: Parted): string[] {
  return [
    ...(file === null ? [] : [`The computer ${id} is in ${file}`]),
    ...(folder === null ? [] : [`Its folder is still there: ${folder}`]),
  ];
}
