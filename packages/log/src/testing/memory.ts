import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Throws out what nobody uses any more, so that what is measured then is what is held. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
}

/** What is in use once the rubbish is out. */
export function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
