import type { User } from "../../users/users.ts";
import type { Command } from "../command.ts";

export const userList: Command = {
  name: "user list",
  summary: "who may sign in, and which computers are whose",
  usage: "",
  options: {},
  optionHelp: [],
  examples: [
    ["choir user list", "who there is"],
    ["choir user list --json | jq -r .id", "for a script: one JSON object a line"],
  ],
  async run({ env, home, json, terminal }) {
    const { withUsers } = await import("../../users/connect-users.ts"); // no other command needs accounts
    const tell = (sentence: string) => terminal.aside(sentence);
    const users = await withUsers({ env, home, signal: terminal.signal, tell }, (users) => users.list());
    for (const user of users) await terminal.out(json ? JSON.stringify(user) : text(user));
    return 0;
  },
};

function text({ computers, created, hasPassword, id, name, role }: User): string {
  const called = name === id ? "" : `  ${name}`;
  const password = hasPassword ? "with a password" : "by link only";
  return `${id.padEnd(20)}  ${role.padEnd(6)}  since ${created.slice(0, 10)}, ${password}; computers: ${computers.join(", ")}${called}`;
}
