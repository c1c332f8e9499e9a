import { shownPath } from "@choiros/computer";
import type { Status } from "../../access/access.ts";
import { connect } from "../../access/connect.ts";
import { UNSAFE } from "../../sandbox-of.ts";
import type { Command } from "../command.ts";
import { count, size } from "../plain.ts";

export const status: Command = {
  name: "status",
  summary: "what is running, and what is in the home",
  usage: "",
  options: {},
  optionHelp: [],
  examples: [
    [
      "choir status",
      "see whether a server runs, where, how much each computer holds, what waits to land, and what can't be kept",
    ],
    ["choir status --json | jq -r .server.address", "the address, for a script"],
  ],
  async run({ env, home, json, terminal }) {
    const access = await connect(home, env, (notice) => terminal.aside(notice));
    const found = await access.status(terminal.signal);
    for (const line of json ? [JSON.stringify(withPaths(found))] : linesOf(found)) await terminal.out(line);
    return 0;
  },
};

function linesOf({ server, version, home, computers, unsafe }: Status): string[] {
  const running =
    server === null
      ? "No server is running. 'choir start' starts one."
      : `Running at ${server.address} (process ${server.pid}, since ${server.since}).`;
  const lines = computers.flatMap(computerLines);
  const none =
    lines.length === 0
      ? ["  no computer yet: 'choir start' makes the first one, and so does 'choir write PATH'"]
      : lines;
  const warning = unsafe ? [UNSAFE] : [];
  return [`ChoirOS ${version}. ${running}`, ...warning, `Home: ${home}`, "Computers:", ...none];
}

function computerLines({ id, events, problem, blocked, unkept, history }: Status["computers"][number]): string[] {
  if (problem !== null) return [`  ${id}: ${problem}`];
  const waiting = (blocked ?? []).map(({ key, why }) => `    ${shownPath(key)} is not in the folder yet: ${why}`);
  const odd = (unkept ?? []).map(({ key, why }) => `    ${shownPath(key)} ${why}`);
  const more = odd.length - MAX_UNKEPT;
  const told = more > 0 ? [...odd.slice(0, MAX_UNKEPT), `    and ${more} more that can't be kept`] : odd;
  return [`  ${id}: ${count(events ?? 0, "event")}, history: ${size(history)}`, ...waiting, ...told];
}

const MAX_UNKEPT = 20;

/** With each path as a command takes it. */
function withPaths(found: Status) {
  const shown = (items: Status["computers"][number]["blocked"]) =>
    items?.map(({ key, why }) => ({ path: shownPath(key), why })) ?? null;
  const computers = found.computers.map(({ blocked, unkept, ...computer }) => ({
    ...computer,
    blocked: shown(blocked),
    unkept: shown(unkept),
  }));
  return { ...found, computers };
}
