import { shownPath } from "@choiros/computer";
import type { Entry } from "@choiros/contract";
import { cat as operation } from "@choiros/gateway/operations";
import { CommandError } from "../../command-error.ts";
import { ask } from "../ask.ts";
import type { Command, CommandCall, Terminal } from "../command.ts";
import { momentOption } from "../number-option.ts";
import { PATH_HELP, pathArgument } from "../path-argument.ts";
import { plainJson } from "../plain.ts";

export const cat: Command = {
  name: "cat",
  summary: "the bytes of a file, now or after any event; of a link, what it points to",
  positionals: [{ name: "PATH" }],
  usage: "[--at SEQ]",
  about: ["With --json: one object with the bytes in base64.", ...PATH_HELP],
  options: { at: { type: "string" } },
  optionHelp: [["--at SEQ", "as it was after this event (default: now)"]],
  examples: [
    ["choir cat notes.md", "read a file"],
    ["choir cat notes.md --at 12 > old-notes.md", "get an earlier version out"],
    ["choir cat photo.jpg --json | jq -r .b64 | base64 -d > photo.jpg", "with its mode and hash, for a script"],
  ],
  async run(call) {
    const { json, options, terminal, words } = call;
    const key = pathArgument(words[0] ?? "");
    const at = momentOption(options.at);
    const to = json ? new JsonOutput(terminal, key) : new RawOutput(terminal, key);
    const { found } = await ask(
      call,
      operation,
      { ...at, key },
      { item: (item) => to.begin(item.entry), output: (bytes) => to.bytes(bytes) },
    );
    if (!found) {
      const when = at.at === undefined ? "" : ` after event ${at.at}`;
      throw new CommandError(`there is nothing at ${shownPath(key)}${when}: see 'choir history ${shownPath(key)}'`);
    }
    await to.end();
    return 0;
  },
};

class RawOutput {
  readonly terminal: CommandCall["terminal"];
  readonly key: string;

  constructor(terminal: Terminal, key: string) {
    this.terminal = terminal;
    this.key = key;
  }

  async begin(entry: Entry): Promise<void> {
    if (entry.kind !== "dir") return;
    throw new CommandError(
      `${shownPath(this.key)} is a folder: 'choir files ${shownPath(this.key)}' lists what is in it`,
    );
  }

  bytes(bytes: Uint8Array): Promise<void> {
    return this.terminal.outBytes(bytes);
  }

  async end(): Promise<void> {}
}

/** One JSON object, written as the bytes come: they may be more than fit into memory. */
class JsonOutput extends RawOutput {
  #rest = Buffer.alloc(0);

  override async begin(entry: Entry): Promise<void> {
    await super.begin(entry);
    const facts = plainJson(JSON.stringify({ path: shownPath(this.key), ...entry }));
    await this.#text(`${facts.slice(0, -1)},"b64":"`);
  }

  override async bytes(bytes: Uint8Array): Promise<void> {
    const all = Buffer.concat([this.#rest, bytes]);
    const whole = all.length - (all.length % 3); // three bytes are four letters: no padding before the end
    this.#rest = all.subarray(whole);
    await this.#text(all.toString("base64", 0, whole));
  }

  override async end(): Promise<void> {
    await this.#text(`${this.#rest.toString("base64")}"}\n`);
  }

  #text(text: string): Promise<void> {
    return this.terminal.outBytes(Buffer.from(text));
  }
}
