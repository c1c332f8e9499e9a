import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Appended } from "../log.ts";
import type { OtherWriter } from "./engine.ts";

const SCRIPT = fileURLToPath(new URL("./store-process.ts", import.meta.url));

/** A process that opens the store in this folder, and what it said of that. */
export async function startProcess(dir: string, mode: "write" | "read", who: string) {
  const child = fork(SCRIPT, [dir, mode, who], { execArgv: [] });
  const [said] = await once(child, "message");
  return { child, said };
}

export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

export async function writerProcess(dir: string, who: string): Promise<OtherWriter> {
  const { child, said } = await startProcess(dir, "write", who);
  if (!said.ok) throw new Error(said.message);
  const waiting = new Map<number, (appended: Appended) => void>();
  let last = 0;
  child.on("message", (answer: { number: number; appended: Appended }) =>
    waiting.get(answer.number)?.(answer.appended),
  );
  return {
    who,
    append: (draft) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve);
        child.send({ number: last, draft });
      }),
    async close() {
      const gone = once(child, "exit");
      child.send({ number: 0 });
      await gone;
    },
    kill: () => killProcess(child),
  };
}
