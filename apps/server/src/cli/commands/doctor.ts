import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { type Verification, verify } from "@choiros/gateway/operations";
import { salvage } from "@choiros/log";
import { serverRuns } from "../../access/server-runs.ts";
import { CommandError, UsageError } from "../../command-error.ts";
import { loadConfig } from "../../config/load.ts";
import { ask } from "../ask.ts";
import type { Command, CommandCall, ExitCode } from "../command.ts";
import type { Finding } from "../finding.ts";
import { importFindings } from "../import-findings.ts";
import { count, size } from "../plain.ts";
import { sandboxFindings } from "../sandbox-findings.ts";
import { runTidy } from "../tidy-contents.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "look at everything, and say what to do about what is wrong",
  usage: "[--salvage | --tidy]",
  options: { salvage: { type: "boolean" }, tidy: { type: "boolean" } },
  optionHelp: [
    ["--salvage", "make a new log of the good part of a damaged one; the old one is kept beside it"],
    ["--tidy", "remove contents that no event names, left by what was begun and didn't happen"],
  ],
  examples: [
    ["choir doctor", "find out why something doesn't work"],
    ["choir doctor --salvage", "go on from the last good event, after a disk has damaged the log"],
  ],
  async run(call) {
    const { salvage: salvaging, tidy } = call.options;
    if (salvaging === true && tidy === true)
      throw new UsageError("--salvage and --tidy don't go together: salvage first");
    if (salvaging === true) return runSalvage(call);
    return tidy === true ? runTidy(call) : examine(call);
  },
};

async function examine(call: CommandCall): Promise<ExitCode> {
  const findings: (Finding | undefined)[] = [
    nodeFinding(),
    await configFinding(call),
    homeFinding(call),
    spaceFinding(call),
  ];
  findings.push(...(await sandboxFindings(call)));
  if (existsSync(call.home.path)) findings.push(...(await logFindings(call)));
  const shown = findings.filter((finding) => finding !== undefined);
  const ok = shown.every((finding) => finding.ok);
  const lines = call.json ? [JSON.stringify({ ok, findings: shown })] : shown.flatMap(linesOf);
  for (const line of lines) await call.terminal.out(line);
  return ok ? 0 : 1;
}

function linesOf({ ok, mind, what, found, advice }: Finding): string[] {
  const mark = mind === true ? "!! " : ok ? "ok " : "BAD";
  return [`${mark}  ${what}: ${found}`, ...(advice === undefined ? [] : [`       ${advice}`])];
}

function nodeFinding(): Finding {
  return { what: "Node", ok: true, found: process.version };
}

async function configFinding({ home, env }: CommandCall): Promise<Finding> {
  const loaded = await loadConfig({ home: home.path, env });
  if (loaded.ok) return { what: "Configuration", ok: true, found: "right; 'choir config explain' shows it" };
  const found = loaded.problems.map(({ text }) => text).join("; ");
  return { what: "Configuration", ok: false, found, advice: "Mend these lines; nothing starts before." };
}

function homeFinding({ home }: CommandCall): Finding {
  const what = "Home";
  if (!existsSync(home.path)) return { what, ok: true, found: `${home.path} isn't there yet; 'choir start' makes it` };
  try {
    accessSync(home.path, constants.R_OK | constants.W_OK | constants.X_OK);
    return { what, ok: true, found: `${home.path}, writable` };
  } catch {
    const advice = "Give this user the right to write there, or choose another folder with --home DIR.";
    return { what, ok: false, found: `${home.path} can't be written to`, advice };
  }
}

const ENOUGH_BYTES = 100 * 1024 * 1024;

function spaceFinding({ home }: CommandCall): Finding | undefined {
  if (!existsSync(home.path)) return undefined;
  const { bavail, bsize } = statfsSync(home.path);
  const free = bavail * bsize;
  const found = `${Math.floor(free / 1024 / 1024)} MB free`;
  if (free >= ENOUGH_BYTES) return { what: "Disk", ok: true, found };
  return { what: "Disk", ok: false, found, advice: "Make room: without it nothing new can be kept." };
}

/** Every computer, or the one that was named. Whatever can't be looked at is a finding, too. */
async function logFindings(call: CommandCall): Promise<(Finding | undefined)[]> {
  const { home, options } = call;
  try {
    const running = await serverRuns(home);
    const server: Finding = { what: "Server", ok: true, found: running ? "running" : "not running" };
    const computers = options.user === undefined ? home.computers() : [call.user()];
    const findings: (Finding | undefined)[] = [server];
    findings.push(...importFindings(home));
    for (const id of computers) findings.push(...(await computerFindings(call, id)));
    return findings;
  } catch (error) {
    call.terminal.signal.throwIfAborted();
    return [{ what: "Server", ok: false, found: messageOf(error), advice: "Run this as the user whose home it is." }];
  }
}

async function computerFindings(call: CommandCall, id: string): Promise<(Finding | undefined)[]> {
  try {
    const found = await ask({ ...call, user: () => id }, verify, {});
    return [logFinding(id, found), contentsFinding(id, found), ...madeFindings(id, found)];
  } catch (error) {
    call.terminal.signal.throwIfAborted();
    return [{ what: `Log of ${id}`, ok: false, found: messageOf(error), advice: "Mend that, and look again." }];
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function logFinding(userId: string, { log }: Verification): Finding {
  const what = `Log of ${userId}`;
  if (log.ok) return { what, ok: true, found: `${count(log.events, "event")}, whole` };
  const found = log.problems.map(({ message }) => message).join("; ");
  return { what, ok: false, found, advice: logAdvice(log) };
}

function logAdvice({ good, events }: Verification["log"]): string {
  const backup = "Bring back log.sqlite, with its -wal if there is one, from a backup";
  if (good !== undefined) {
    const salvaging =
      "or stop the server and run 'choir doctor --salvage' to go on from there. The damaged log is kept";
    return `Events 1 to ${good.seq} are good. ${backup} that has more; ${salvaging}.`;
  }
  if (events > 0) return `Not even the first event is good. ${backup}.`;
  return `The file can't be read at all, though the events in it may be whole. Keep a copy of it. ${backup}.`;
}

function contentsFinding(userId: string, { contents, unopened }: Verification): Finding | undefined {
  const what = `Contents of ${userId}`;
  const advice = "Bring back contents.sqlite and contents/ from a backup. All other events still work.";
  if (contents === null) return unopened === null ? undefined : { what, ok: false, found: unopened, advice };
  if (contents.ok) {
    const { contents: more = 0, bytes = 0 } = contents.unnamed ?? {};
    const found = `${contents.contents} named by the log, ${contents.pruned} pruned`;
    if (more === 0) return { what, ok: true, found };
    const advice =
      "What was begun and didn't happen left them. Stop the server, and 'choir doctor --tidy' removes them.";
    return { what, ok: true, found: `${found}; ${more} that no event names, ${size(bytes)}`, advice };
  }
  const found = `${contents.problems.length} of ${contents.contents} are missing or damaged: 'choir verify' names them`;
  return { what, ok: false, found, advice };
}

/** What is made from the log, and can be made again. */
function madeFindings(userId: string, { contents, folder, state, unopened }: Verification): (Finding | undefined)[] {
  const files = `Files of ${userId}`;
  if (unopened !== null && contents !== null) {
    return [
      {
        what: files,
        ok: false,
        found: unopened,
        advice: "Mend that, or wait for the other command to end, and look again.",
      },
    ];
  }
  const paths = folder === null ? "" : `${count(folder.paths, "path")}, as the log says`;
  return [
    madeFinding(
      `State of ${userId}`,
      state,
      "as the log says",
      "Run 'choir rebuild': it makes the state again from the log.",
    ),
    madeFinding(files, folder, paths, FOLDER_ADVICE),
  ];
}

const FOLDER_ADVICE = "Run 'choir rebuild': it puts back what the log has and the folder lost.";

type Made = { readonly ok: boolean; readonly problems: readonly string[] };

function madeFinding(what: string, made: Made | null, well: string, advice: string): Finding | undefined {
  if (made === null) return undefined;
  if (made.ok) return { what, ok: true, found: well };
  const found = `${count(made.problems.length, "difference")}: 'choir verify' names them`;
  return { what, ok: false, found, advice };
}

async function runSalvage(call: CommandCall): Promise<ExitCode> {
  const { home, json, terminal } = call;
  const userId = call.user();
  const dir = home.storeOf(userId);
  if (!existsSync(dir)) throw new CommandError(`there is no computer '${userId}' in ${home.path}`);
  if (await serverRuns(home)) throw new CommandError("a server is running: stop it first, then salvage");
  const done = salvage(dir, "choir doctor --salvage");
  if (!done.ok) throw new CommandError(done.message);
  const { head, kept } = done;
  const line = `The log of ${userId} now ends at event ${head.seq}, its last good one. The damaged log is in ${kept}.`;
  await terminal.out(json ? JSON.stringify({ seq: head.seq, hash: head.hash, kept }) : line);
  return 0;
}
