import { parentPort, workerData } from "node:worker_threads";
import { checkSnapshot, takeSnapshot } from "./snapshot-file.ts";
import type { SnapshotJob } from "./snapshots.ts";

const job: SnapshotJob = workerData;
parentPort?.postMessage("state" in job ? takeSnapshot(job.state, job.folder) : checkSnapshot(job.folder, job.seq));
