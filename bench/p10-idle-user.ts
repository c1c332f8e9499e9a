import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { format, type Measure } from "./measure.ts";

const KB = 1024;

/**
 * What one more user costs who is signed in, has the console open and does nothing: a socket, and an open computer. The
 * peer is a user who isn't signed in. The other end of the socket is in the same process, and counts too.
 */
export const idleUser: Measure = {
  id: "P10",
  title: "memory per idle signed-in user",
  unit: "KB",
  peer: "a user who isn't signed in",
  better: "lower",
  judged: "ours",
  floor: 4096,
  aim: 512,
  rounds: 3,

  async run(_, { quick, say }) {
    const script = join(import.meta.dirname, "idle-users.ts");
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, quick ? "20" : "100"]);
    const { absent, away, watching }: Record<"absent" | "away" | "watching", number> = JSON.parse(stdout);
    say(`signed in, and away: ${format(away / KB)} KB`);
    return { ours: watching / KB, peer: absent / KB };
  },
};
