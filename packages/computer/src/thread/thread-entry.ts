import { type MessagePort, parentPort } from "node:worker_threads";
import type { Answer, Call } from "@choiros/log";
import { failureOf } from "@choiros/log/failure"; // without the rest of the log, which a thread would load for nothing
import { folderOperations } from "../folder/folder-operations.ts";
import { stateOperations } from "../state/state-operations.ts";
import type { ComputerOperations, Table } from "./operations.ts";

const port = parentPort as MessagePort; // this file is the entry of a worker, and nothing else

const table: Table<ComputerOperations> = { ...stateOperations, ...folderOperations };

// Each answer goes as soon as it is there: the next call may be somebody else's, and long.
port.on("message", (calls: readonly Call<ComputerOperations>[]) => {
  for (const call of calls) port.postMessage([perform(call)]);
});

function perform<Op extends keyof ComputerOperations>(call: Call<ComputerOperations, Op>): Answer {
  const [number, target, op, request] = call;
  try {
    return [number, table[op](target, request)];
  } catch (error) {
    return [number, null, failureOf(error)];
  }
}
