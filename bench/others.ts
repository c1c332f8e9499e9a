import { cpus } from "node:os";

/** Counts from now on; asked, it says how many cores other processes have kept busy on average. */
export function watchOthers(): () => number {
  const start = spent();
  return () => {
    const end = spent();
    return Math.max(0, (end.byAll - start.byAll - (end.byUs - start.byUs)) / (end.at - start.at));
  };
}

/** Milliseconds. */
function spent() {
  const byAll = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), byAll, byUs: (user + system) / 1000 };
}
