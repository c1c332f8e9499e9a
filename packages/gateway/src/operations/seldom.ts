import type { Progress } from "@choiros/computer";

const PROGRESS_MS = 100;

/** As often as somebody could look. */
export function seldom(show: (progress: Progress) => void): (progress: Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    show(progress);
  };
}
