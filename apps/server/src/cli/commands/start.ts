import { once } from "node:events";
import type { Opened } from "@choiros/sandbox";
import { CommandError, OutputClosed } from "../../command-error.ts";
import { configOf } from "../../config/load.ts";
import { isUnsafe, openSandboxOf, UNSAFE } from "../../sandbox-of.ts";
import { VERSION } from "../../version.ts";
import type { Command } from "../command.ts";

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
    const server = await startServer({ home, owner, config, report, tell });
    for (const notice of server.notices) terminal.aside(notice);
    const facts = { address: server.address, home: home.path, pid: process.pid, unsafe: isUnsafe(config), user: owner };
    const lines = [
      `ChoirOS ${VERSION} is running at ${server.address}`,
      `Everything is kept in ${home.path}, for ${owner}. Stop with Ctrl-C.`,
      ...(isUnsafe(config) ? [UNSAFE] : []),
    ];
    for (const line of json ? [JSON.stringify(facts)] : lines) {
      await terminal.out(line).catch((error) => {
        if (!(error instanceof OutputClosed)) throw error; // a server whose first line was read goes on
      });
    }
    await trySandbox(() => openSandboxOf(home, owner, config)).then((why) => why === undefined || tell(why), report);
    if (!terminal.signal.aborted) await once(terminal.signal, "abort");
    await server.close();
    terminal.aside("ChoirOS has stopped.");
    return 0;
  },
};

/** Why no command can run here, told before somebody needs one. */
async function trySandbox(open: () => Promise<Opened>): Promise<string | undefined> {
  const opened = await open();
  if (!opened.ok) return `${opened.message} Until then 'choir exec' is refused; everything else works.`;
  await opened.sandbox.close();
  return undefined;
}
