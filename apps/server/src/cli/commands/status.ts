import type { Status } from "../../access/access.ts";
import { connect } from "../../access/connect.ts";
import type { Command } from "../command.ts";
import { count } from "../plain.ts";

export const status: Command = {
  name: "status",
  summary: "what is running, and what is in the home",
  usage: "",
  options: {},
  optionHelp: [],
  examples: [
    ["choir status", "see whether a server runs, where, and how many events each computer has"],
    ["choir status --json | jq -r .server.address", "the address, for a script"],
  ],
  async run({ home, json, terminal }) {
    const access = await connect(home);
    try {
      const found = await access.status();
      await terminal.out(json ? JSON.stringify(found) : text(found));
      return 0;
    } finally {
      await access.close();
    }
  },
};

function text({ server, version, home, computers }: Status): string {
  const running =
    server === null
      ? "No server is running. 'choir start' starts one."
      : `Running at ${server.address} (process ${server.pid}, since ${server.since}).`;
  const lines = computers.map(({ id, events, problem }) =>
    problem === null ? `  ${id}: ${count(events ?? 0, "event")}` : `  ${id}: ${problem}`,
  );
  const none = lines.length === 0 ? ["  no computer yet: 'choir start' makes the first one"] : lines;
  return [`ChoirOS ${version}. ${running}`, `Home: ${home}`, "Computers:", ...none].join("\n");
}
