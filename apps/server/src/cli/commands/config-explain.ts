import { CommandError } from "../../command-error.ts";
import { explain } from "../../config/explain.ts";
import { loadConfig } from "../../config/load.ts";
import type { Command } from "../command.ts";

export const configExplain: Command = {
  name: "config explain",
  summary: "every setting, its value, and where that comes from",
  usage: "",
  options: {},
  optionHelp: [],
  examples: [
    ["choir config explain", "what is set, and what could be"],
    ["CHOIR_SERVER_PORT=8080 choir config explain", "check a setting before starting with it"],
  ],
  async run({ home, json, env, terminal }) {
    const loaded = await loadConfig({ home: home.path, env });
    if (!loaded.ok)
      throw new CommandError("the configuration is wrong:", { more: loaded.problems.map(({ text }) => text) });
    const text = explain(loaded.config, loaded.origins, { json });
    for (const line of json ? [text] : text.split("\n")) await terminal.out(line);
    return 0;
  },
};
