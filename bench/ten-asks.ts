import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { scriptedModel } from "../tests/model/scripted-model.ts";
import { format, type Measure } from "./measure.ts";

const KB = 1024;
const COUNT = 10;
/** How many each has run by then; what they said is in its conversation. */
const COMMANDS = 12;

/** What an ask costs in the middle of its task, with commands run and a model that is waited for; ten of them, each on its computer. */
export const tenAsks: Measure = {
  id: "Asks",
  title: "memory per ask at work beyond the first, ten at once",
  unit: "KB",
  peer: "the same computers, open, with nothing asked",
  better: "lower",
  judged: "ours",
  floor: 8192,
  aim: 2048,
  rounds: 3,

  async run(_, { say }) {
    const scripted = await scriptedModel();
    const never = new Promise<never>(() => {});
    scripted.always(({ model, messages }) => {
      if (model === "director") return [{ tool: "plan", input: { instruction: "Look and write.", paths: ["."] } }];
      const ran = messages.filter(({ role }) => role === "tool").length;
      return ran < COMMANDS ? [{ tool: "bash", input: { command: "seq 1000" } }] : ["I begin.", { until: never }];
    });
    const script = join(import.meta.dirname, "asks-at-once.ts");
    const counts = [COUNT, COMMANDS + 2].map(String); // one request is the Director's
    const args = ["--expose-gc", script, JSON.stringify(scripted.connection("anthropic")), ...counts];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    await scripted.close();
    const { open, working }: Record<"open" | "working", number> = JSON.parse(stdout);
    say(`a computer, open: ${format(open / KB)} KB`);
    return { ours: working / KB, peer: open / KB };
  },
};
