import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Connection, connectModel, openPolicy } from "@choiros/agent";
import type { Computer } from "@choiros/computer";
import { type AskValue, isOver, isPaused } from "@choiros/contract";
import { openAgents } from "../../agent/open-agents.ts";

/** The process that is killed while its agents work: `node agents.ts DIR`, one order on stdin. */
export interface AgentsOrder {
  readonly home: string;
  readonly connection: Connection;
  /** What is wanted, by id; what was said before isn't said again. */
  readonly asks: Readonly<Record<string, string>>;
}

export type AgentsReport =
  | { readonly said: "ready" | "over" }
  /** An event is in the log, as whoever appended it was told. */
  | { readonly said: "kept"; readonly seq: number; readonly hash: string; readonly type: string }
  | { readonly said: "failed"; readonly message: string };

if (import.meta.main) await main();

async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  report({ said: "ready" });
  const line = await lines.next();
  if (line.done === true) return process.exit();
  try {
    await work(JSON.parse(line.value));
    report({ said: "over" });
  } catch (error) {
    report({ said: "failed", message: String(error) });
  }
  process.exit();
}

/** Says what wasn't said yet, resumes what was interrupted, and works until all of it is over. */
async function work({ home, connection, asks }: AgentsOrder): Promise<void> {
  const [director, associate] = [connectModel(connection, "director"), connectModel(connection, "associate")];
  const means = async () => ({ director, associate, costOf: () => null, policy: openPolicy(home) });
  const { agents, computer } = await openAgents(home, means, (error) => {
    report({ said: "failed", message: String(error) });
  });
  tellKept(computer);
  for (const [id, text] of Object.entries(asks)) await computer.say(text, { id });
  await agents.start();
  const { seq, values } = await asksOf(computer);
  for (const [ask, { conversation, status }] of values) {
    const cause = { ask, conversation: conversation ?? ask };
    if (isPaused(status)) await computer.log.append({ source: "user", type: "ask.resumed", cause, payload: {} });
  }
  const open = new Set([...values].filter(([, { status }]) => !isOver(status)).map(([ask]) => ask));
  for await (const event of open.size === 0 ? [] : computer.log.subscribe({ from: seq + 1 })) {
    if (event.type === "ask.paused") throw new Error(`it was paused: ${JSON.stringify(event.payload)}`);
    if (event.type === "ask.answered") open.delete(event.cause?.ask ?? "");
    if (open.size === 0) break;
  }
  await agents.close();
  await computer.close();
}

function tellKept({ log }: Computer): void {
  const append = log.append.bind(log);
  log.append = async (draft, options) => {
    const appended = await append(draft, options);
    if (appended.ok) report({ said: "kept", seq: appended.seq, hash: appended.hash, type: draft.type });
    return appended;
  };
}

async function asksOf(computer: Computer) {
  const { seq, pages } = await computer.rows("ask");
  const rows = (await Array.fromAsync(pages)).flat();
  return { seq, values: new Map(rows.map(({ key, value }) => [key, value as AskValue])) }; // as the contract's reducer writes it
}

function report(line: AgentsReport): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
