import { parentPort, workerData } from "node:worker_threads";
import type { Head } from "../log.ts";
import { failureOf } from "./failure.ts";
import { verifyFile } from "./verify-file.ts";

const { path, expect }: { path: string; expect: Head | undefined } = workerData;
try {
  const report = verifyFile(path, expect, (done, total) => parentPort?.postMessage({ done, total }));
  parentPort?.postMessage({ report });
} catch (error) {
  parentPort?.postMessage({ failure: failureOf(error) });
}
