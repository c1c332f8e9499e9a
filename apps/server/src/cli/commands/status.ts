import type { Status } from "../../access/access.ts";
import { connect } from "../../access/connect.ts";
import type { Command } from "../command.ts";
import { shownPath } from "../path-argument.ts";
import { count, size } from "../plain.ts";

export const status: Command = {
  name: "status",
  summary: "what is running, and what is in the home",
  usage: "",
  options: {},
  optionHelp: [],
  examples: [
    ["choir status", "see whether a server runs, where, how much each computer holds, and what waits to land"],
    ["choir status --json | jq -r .server.address", "the address, for a script"],
  ],
  async run({ home, json, terminal }) {
    const access = await connect(home, (notice) => terminal.aside(notice));
    const found = await access.status();
    await terminal.out(json ? JSON.stringify(withPaths(found)) : text(found));
    return 0;
  },
};

function text({ server, version, home, computers }: Status): string {
  const running =
    server === null
      ? "No server is running. 'choir start' starts one."
      : `Running at ${server.address} (process ${server.pid}, since ${server.since}).`;
  const lines = computers.flatMap(computerLines);
  const none =
    lines.length === 0
      ? ["  no computer yet: 'choir start' makes the first one, and so does 'choir write PATH'"]
      : lines;
  return [`ChoirOS ${version}. ${running}`, `Home: ${home}`, "Computers:", ...none].join("\n");
}

function computerLines({ id, events, problem, blocked, history }: Status["computers"][number]): string[] {
  if (problem !== null) return [`  ${id}: ${problem}`];
  const waiting = (blocked ?? []).map(({ key, why }) => `    ${shownPath(key)} is not in the folder yet: ${why}`);
  return [`  ${id}: ${count(events ?? 0, "event")}, history: ${size(history)}`, ...waiting];
}

/** With each path as a command takes it. */
function withPaths(found: Status) {
  const computers = found.computers.map(({ blocked, ...computer }) => ({
    ...computer,
    blocked: blocked?.map(({ key, why }) => ({ path: shownPath(key), why })) ?? null,
  }));
  return { ...found, computers };
}
