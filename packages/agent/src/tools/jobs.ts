import type { Id } from "@choiros/contract";
import type { Job, Jobs } from "./dispatch-port.ts";

/** The background jobs of one task: whoever runs the task makes this, and calls `stopAll` at its end. */
export function openJobs(): Jobs {
  const jobs = new Map<Id, Job>();
  return {
    start: (job) => void jobs.set(job.call, job),
    get: (call) => jobs.get(call),
    get running() {
      return [...jobs.values()].filter(({ outcome }) => outcome === undefined).length;
    },
    async stopAll() {
      for (const job of jobs.values()) job.stop();
      await Promise.allSettled([...jobs.values()].map((job) => job.ended));
    },
  };
}
