import { LogError } from "@choiros/log";
import type { Grants } from "../lease/grants.ts";
import { leaseOf } from "../lease/judge.ts";
import type { Need } from "../lease/lease.ts";
import type { PolicyFile } from "../lease/policy-file.ts";
import type { Hands } from "../loop/crew.ts";
import { openDispatch } from "../tools/dispatch.ts";
import type { Work } from "../tools/dispatch-port.ts";
import { openJobs } from "../tools/jobs.ts";
import { Reading } from "../tools/reading.ts";

interface Worker extends Pick<Work, "computer" | "pace" | "signals"> {
  readonly grants: Grants;
}

/** What an ask is worked at with, under the policy as it is now. */
export async function handsOf({ grants, ...worker }: Worker, file: PolicyFile): Promise<Hands> {
  const policyNow = async () => {
    const read = await file.read();
    if (!read.ok) throw new LogError("misuse", read.message);
    return read.policy;
  };
  let { limits } = await policyNow();
  return {
    dispatch: openDispatch({ policy: file }),
    get limits() {
      return limits;
    },
    async look() {
      const read = await file.read().catch(() => undefined); // what can't be read is told where a tool is called
      if (read?.ok === true) limits = read.policy.limits;
    },
    judge: async (task) => leaseOf(task, await policyNow(), grants.of(task.task_id)),
    always: async (needs) => {
      const added = await file.allowAlways(needs);
      if (!added.ok) throw new LogError("misuse", added.message);
    },
    granted: (task) => grants.of(task),
    work: (chapter, lease, meter) => {
      const { cause } = chapter;
      const allowed = cause.task === undefined ? new Set<Need>() : grants.of(cause.task);
      const memory = { grants: allowed, read: new Reading(), jobs: openJobs() };
      const mayLand: Work["mayLand"] = (changes) => meter.mayLand(chapter, changes);
      return { ...worker, cause, lease, mayLand, ...memory };
    },
  };
}
