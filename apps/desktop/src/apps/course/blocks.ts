import type { Course, Step, TaskItem } from "./course.ts";

/** What stands below one another: tasks, and steps that belong to none. */
export type Block = TaskItem | { readonly is: "steps"; readonly seq: number; readonly steps: readonly Step[] };

/** A question that waits for its answer isn't among them. */
export function blocksOf({ items }: Course, isWondering: boolean): Block[] {
  const waiting = isWondering ? items.findLast(({ is }) => is === "question") : undefined;
  const blocks: Block[] = [];
  let steps: Step[] = [];
  for (const item of items) {
    if (item === waiting) continue;
    if (item.is === "task") {
      blocks.push(item);
      steps = [];
    } else {
      if (steps.length === 0) blocks.push({ is: "steps", seq: seqOf(item), steps });
      steps.push(item);
    }
  }
  return blocks;
}

function seqOf(step: Step): number {
  return step.is === "call" ? step.moment.event.seq : step.seq;
}
