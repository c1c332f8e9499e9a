import type { SignInLink } from "../../users/users.ts";
import type { Command } from "../command.ts";
import { count } from "../plain.ts";
import { userArgument } from "../user-argument.ts";

export const userLink: Command = {
  name: "user link",
  summary: "an address that signs somebody in, once",
  positionals: [{ name: "NAME", optional: true }],
  usage: "",
  about: [
    "Without NAME it is the owner's. Opening the address doesn't spend it; the click on the page does.",
    "A new link makes the user's former one void. Whoever has it can sign in: send it by a way you trust.",
  ],
  options: {},
  optionHelp: [],
  examples: [
    ["choir user link", "sign in yourself, after the link of 'choir start' was used or lost"],
    ["choir user link bob", "the address to send to bob"],
  ],
  async run({ env, home, json, terminal, user, words }) {
    const id = words[0] === undefined ? user() : userArgument(words[0]);
    const { withUsers } = await import("../../users/connect-users.ts"); // no other command needs accounts
    const tell = (sentence: string) => terminal.aside(sentence);
    const link = await withUsers({ env, home, signal: terminal.signal, tell }, (users) => users.link(id));
    await terminal.out(json ? JSON.stringify(link) : link.address);
    if (!json) tell(sentence(link, home.owner() === id));
    return 0;
  },
};

function sentence({ expires, id, running }: SignInLink, owner: boolean): string {
  const minutes = Math.round((Date.parse(expires) - Date.now()) / 60_000);
  const good = `It signs ${id} in once, within ${count(minutes, "minute")} (until ${expires.slice(11, 16)} UTC).`;
  if (running) return good;
  return owner
    ? `${good} But no server is running: 'choir start' runs one, and prints a new link in place of this one.`
    : `${good} But no server is running: 'choir start' has to run for it to be of use.`;
}
