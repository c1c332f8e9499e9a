import { verify as operation, parseHead, type Verification } from "@choiros/gateway/operations";
import { UsageError } from "../../command-error.ts";
import { ask } from "../ask.ts";
import type { Command } from "../command.ts";
import { count } from "../plain.ts";

export const verify: Command = {
  name: "verify",
  summary: "check that nothing was lost or altered",
  usage: "[--expect SEQ:HASH]",
  about: ["What other programs did to the folder is no damage: it becomes an event first, as with every command."],
  options: { expect: { type: "string" } },
  optionHelp: [["--expect SEQ:HASH", "an event that was there once, as an earlier 'choir verify' printed it"]],
  examples: [
    ["choir verify", "read the whole log and every content it names, and hold the state and the folder against it"],
    ["choir verify --expect 1042:9f2c...", "find out whether the end of the log is missing, too"],
  ],
  async run(call) {
    const { json, options, terminal } = call;
    const expect = typeof options.expect === "string" ? parseHead(options.expect) : undefined;
    if (options.expect !== undefined && expect === undefined) {
      throw new UsageError("--expect takes SEQ:HASH, the hash with its 64 digits");
    }
    const found = await ask(call, operation, expect === undefined ? {} : { expect });
    for (const line of json ? [JSON.stringify(found)] : linesOf(found)) await terminal.out(line);
    return found.ok ? 0 : 1;
  },
};

function linesOf({ ok, log, contents, state, folder, unopened }: Verification): string[] {
  const head = log.good === undefined ? "" : ` up to ${log.good.seq}:${log.good.hash}`;
  const lines = [
    log.ok ? `Log: ${count(log.events, "event")}, whole${head}` : `Log: damaged; good${head || " nowhere"}`,
  ];
  if (log.firstBad !== undefined) lines.push(`  the first bad event is ${log.firstBad}`);
  lines.push(...log.problems.map(({ message }) => `  ${message}`));
  if (contents !== null) {
    const pruned = contents.pruned === 0 ? "" : `, ${contents.pruned} of them pruned`;
    lines.push(`Contents: ${contents.contents} named by the log${pruned}${contents.ok ? ", whole" : ""}`);
    lines.push(...contents.problems.map(({ hash, seq, state }) => `  ${hash} is ${state}; event ${seq} names it`));
  }
  if (state !== null) lines.push(`State: ${state.ok ? "whole, " : ""}${state.hash}`, ...indented(state.problems));
  if (folder !== null) {
    lines.push(`Folder: ${count(folder.paths, "path")}${folder.ok ? ", as the log says" : ""}`);
    lines.push(...indented(folder.problems), ...indented(folder.notes));
  }
  if (unopened !== null) lines.push(`${contents === null ? "Contents" : "State and folder"}: ${unopened}`);
  if (!ok) lines.push("'choir doctor' says what can be done.");
  return lines;
}

function indented(problems: readonly string[]): string[] {
  return problems.map((problem) => `  ${problem}`);
}
