import { parseHead, type Verification } from "../../access/access.ts";
import { connect } from "../../access/connect.ts";
import { UsageError } from "../../command-error.ts";
import type { Command } from "../command.ts";
import { count } from "../plain.ts";

export const verify: Command = {
  name: "verify",
  summary: "check that nothing was lost or altered; changes nothing",
  usage: "[--expect SEQ:HASH]",
  options: { expect: { type: "string" } },
  optionHelp: [["--expect SEQ:HASH", "an event that was there once, as an earlier 'choir verify' printed it"]],
  examples: [
    ["choir verify", "read the whole log and every content it names"],
    ["choir verify --expect 1042:9f2c...", "find out whether the end of the log is missing, too"],
  ],
  async run(call) {
    const { home, json, options, terminal } = call;
    const expect = typeof options.expect === "string" ? parseHead(options.expect) : undefined;
    if (options.expect !== undefined && expect === undefined) {
      throw new UsageError("--expect takes SEQ:HASH, the hash with its 64 digits");
    }
    const access = await connect(home);
    try {
      const onProgress = (done: number, total: number) => terminal.progress(`${done} of ${total} events`);
      const found = await access.verify(call.user(), expect, onProgress, terminal.signal);
      await terminal.out(json ? JSON.stringify(found) : verificationText(found));
      return found.ok ? 0 : 1;
    } finally {
      await access.close();
    }
  },
};

function verificationText({ ok, log, contents, unopened }: Verification): string {
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
  if (unopened !== null) lines.push(`Contents: ${unopened}`);
  if (!ok) lines.push("'choir doctor' says what can be done.");
  return lines.join("\n");
}
