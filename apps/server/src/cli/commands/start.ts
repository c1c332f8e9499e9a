import { once } from "node:events";
import { loadConfig } from "../../config/load.ts";
import { VERSION } from "../../version.ts";
import { type Command, CommandError } from "../command.ts";

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
    const loaded = await loadConfig({ home: home.path, env });
    if (!loaded.ok)
      throw new CommandError(`the configuration is wrong:\n${loaded.problems.map(({ text }) => text).join("\n")}`);
    const owner = user();
    const report = (error: unknown) => terminal.aside(`choir: ${error instanceof Error ? error.stack : String(error)}`);
    const { startServer } = await import("../../server/start-server.ts"); // no other command needs a web server
    const server = await startServer({ home, owner, config: loaded.config, report });
    for (const notice of server.notices) terminal.aside(notice);
    if (json) {
      await terminal.out(JSON.stringify({ address: server.address, home: home.path, pid: process.pid, user: owner }));
    } else {
      await terminal.out(`ChoirOS ${VERSION} is running at ${server.address}`);
      await terminal.out(`Everything is kept in ${home.path}, for ${owner}. Stop with Ctrl-C.`);
    }
    if (!terminal.signal.aborted) await once(terminal.signal, "abort");
    await server.close();
    terminal.aside("ChoirOS has stopped.");
    return 0;
  },
};
