import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { format, type Measure } from "./measure.ts";

const KB = 1024;

/** What an ask costs that is worked at, in the middle of what a model says; ten of them at once, each on its computer. */
export const tenAsks: Measure = {
  id: "Asks",
  title: "memory per ask at work, ten at once",
  unit: "KB",
  peer: "the same computers, open, with nothing asked",
  better: "lower",
  judged: "ours",
  floor: 8192,
  aim: 2048,
  rounds: 3,

  async run(_, { say }) {
    const script = join(import.meta.dirname, "asks-at-once.ts");
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script]);
    const { open, working }: Record<"open" | "working", number> = JSON.parse(stdout);
    say(`a computer, open: ${format(open / KB)} KB`);
    return { ours: working / KB, peer: open / KB };
  },
};
