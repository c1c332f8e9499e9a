import { UsageError } from "../../command-error.ts";
import type { Command } from "../command.ts";

export const userAdd: Command = {
  name: "user add",
  summary: "let somebody in: an account, with a computer of its own",
  positionals: [{ name: "NAME" }],
  usage: "[--member | --owner]",
  about: [
    "The id is made of the name, as in 'Ada Lovelace', ada-lovelace, and stays what it is.",
    "Each sees their own computers only, an owner too; but an owner may add and remove others.",
  ],
  options: { member: { type: "boolean" }, owner: { type: "boolean" } },
  optionHelp: [
    ["--member", "who has computers here, and no say over the server (default)"],
    ["--owner", "who may also do what concerns the whole server"],
  ],
  examples: [
    ["choir user add bob && choir user link bob", "let bob in, and get the address to send him"],
    ["choir user add 'Ada Lovelace' --owner", "somebody to look after the server with"],
  ],
  async run({ env, home, json, options, terminal, user, words }) {
    if (options.member === true && options.owner === true)
      throw new UsageError("--member and --owner don't go together: a user is one of them");
    const [name = ""] = words;
    const { withUsers } = await import("../../users/connect-users.ts"); // no other command needs accounts
    const tell = (sentence: string) => terminal.aside(sentence);
    const { signal } = terminal;
    const added = await withUsers({ env, home, founder: user, signal, tell }, (users) =>
      users.add(name, options.owner === true ? "owner" : "member"),
    );
    const line = `Added ${added.name}, ${added.role === "owner" ? "an owner" : "a member"}, with the id ${added.id}.`;
    await terminal.out(json ? JSON.stringify(added) : line);
    if (!json) terminal.aside(`'choir user link ${added.id}' gives the address to sign in with.`);
    return 0;
  },
};
