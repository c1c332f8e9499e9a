import { setTimeout as delay } from "node:timers/promises";
import type { Opened } from "@choiros/sandbox";
import { CommandError, OutputClosed } from "../../command-error.ts";
import { configOf } from "../../config/load.ts";
import { isUnsafe, openSandboxOf, UNSAFE } from "../../sandbox-of.ts";
import { VERSION } from "../../version.ts";
import type { Command, Terminal } from "../command.ts";

export const start: Command = {
  name: "start",
  summary: "run ChoirOS on this machine until Ctrl-C",
  usage: "[--home DIR] [--user ID]",
  options: {},
  optionHelp: [],
  examples: [
    ["choir start", "run it; the first time, this makes the home and its owner's computer"],
    ["choir start --home /srv/choir --user ada", "keep everything in another folder, for an owner called ada"],
    ["CHOIR_SERVER_PORT=8080 choir start", "listen on another port"],
  ],
  async run({ home, user, json, env, terminal }) {
    const config = await configOf(home.path, env);
    const owner = user();
    const known = home.owner();
    if (known !== undefined && known !== owner) {
      throw new CommandError(`${home.path} belongs to ${known}: --user names the owner only where there is none yet`);
    }
    const tell = (sentence: string) => terminal.aside(`choir: ${sentence}`);
    const report = (error: unknown) => {
      const text = `choir: ${error instanceof Error ? error.stack : String(error)}`;
      for (const line of text.split("\n")) terminal.aside(line);
    };
    const { startServer } = await import("../../server/start-server.ts"); // no other command needs a web server
    const stopped = new Promise<undefined>((resolve) => {
      if (terminal.signal.aborted) resolve(undefined);
      terminal.signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    const aside = (line: string) => terminal.aside(line);
    const starting = startServer({ home, owner, config, env, report, tell, aside });
    const server = await Promise.race([starting, stopped]);
    if (server === undefined) return stop(terminal, async () => (await starting).close()); // a long log is being read
    for (const notice of server.notices) terminal.aside(notice);
    const facts = {
      address: server.address,
      link: server.link,
      home: home.path,
      pid: process.pid,
      unsafe: isUnsafe(config),
      user: owner,
    };
    const lines = [
      `ChoirOS ${VERSION} is running at ${server.link}`,
      `Everything is kept in ${home.path}, for ${owner}. Stop with Ctrl-C.`,
      ...(isUnsafe(config) ? [UNSAFE] : []),
    ];
    for (const line of json ? [JSON.stringify(facts)] : lines) {
      await terminal.out(line).catch((error) => {
        if (!(error instanceof OutputClosed)) throw error; // a server whose first line was read goes on
      });
    }
    const tried = trySandbox(() => openSandboxOf(home, owner, config));
    const told = tried.then((why) => (why === undefined ? undefined : tell(why)), report);
    await stopped;
    return stop(terminal, () => Promise.all([server.close(), told]));
  },
};

async function stop(terminal: Terminal, close: () => Promise<unknown>): Promise<0> {
  const closed = await endsWithin(CLOSE_MS, close());
  terminal.aside(
    closed ? "ChoirOS has stopped." : "ChoirOS has stopped. What isn't in the folder yet lands with the next start.",
  );
  terminal.leave(0); // whatever else is still under way
  return 0;
}

/** Longer than this nobody waits for a server to end. By then it hears nobody, no command runs, and the log has everything. */
const CLOSE_MS = 1000;

async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const late = delay(ms, false, { signal: over.signal }).catch(() => false);
  return Promise.race([work.then(() => true), late]).finally(() => over.abort());
}

/** Why no command can run here, told before somebody needs one. */
async function trySandbox(open: () => Promise<Opened>): Promise<string | undefined> {
  const opened = await open();
  if (!opened.ok)
    return `${opened.message.replace(/\.?$/, ".")} Until then 'choir exec' is refused; everything else works.`;
  await opened.sandbox.close();
  return undefined;
}
