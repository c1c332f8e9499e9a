import { writeSync } from "node:fs";
import { type Connection, connectModel, openPolicy } from "@choiros/agent";
import { openAgents } from "./open-agents.ts";

/** What the process that kills itself is told, as its only argument. */
export interface CrashOrder {
  readonly home: string;
  readonly connection: Connection;
  readonly ask: string;
  /** How many events are appended after the ask before it ends itself: right before the next one, or right after the last. */
  readonly after: number;
  readonly when: "before" | "after";
  /** Whether the ask was begun already, and is to be resumed. */
  readonly resume?: true;
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? ""));

/** Says each type that is appended, and ends itself where it is told to: like a power cut, in the middle of its work. */
async function main({ home, connection, ask, after, when, resume }: CrashOrder): Promise<void> {
  const [director, associate] = [connectModel(connection, "director"), connectModel(connection, "associate")];
  const means = async () => ({ director, associate, costOf: () => null, policy: openPolicy(home) });
  const { agents, computer } = await openAgents(home, means, (error) => {
    throw error;
  });
  if (resume === undefined) await computer.say("Do all of it", { id: ask });
  const { log } = computer;
  const append = log.append.bind(log);
  let count = 0;
  log.append = async (draft, options) => {
    if (when === "before" && count === after) die(draft.type);
    const appended = await append(draft, options);
    count += 1;
    writeSync(1, `${draft.type}\n`);
    if (when === "after" && count === after) die("");
    return appended;
  };
  await agents.start();
  const cause = { ask, conversation: ask };
  if (resume) await log.append({ source: "user", type: "ask.resumed", cause, payload: {} });
  for await (const { type } of log.subscribe()) if (type === "ask.answered") break;
  await agents.close();
  await computer.close();
}

function die(next: string): never {
  writeSync(1, `dies ${next}\n`);
  process.kill(process.pid, "SIGKILL");
  throw new Error("It lives on.");
}
