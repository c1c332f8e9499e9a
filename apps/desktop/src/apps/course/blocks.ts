import type { Course, Item, Step, TaskItem } from "./course.ts";
import type { Reply } from "./replies.ts";

/** What stands below one another: tasks, what the user said, and steps that belong to no task. */
export type Block = TaskItem | Reply | { readonly is: "steps"; readonly seq: number; readonly steps: readonly Step[] };

/** With what the user said meanwhile, where that was. A question that waits for its answer isn't among them. */
export function blocksOf({ items }: Course, replies: readonly Reply[], isWondering: boolean): Block[] {
  const waiting = isWondering ? items.findLast(({ is }) => is === "question") : undefined;
  const all = [...items.filter((item) => item !== waiting), ...replies].sort((one, two) => seqOf(one) - seqOf(two));
  const blocks: Block[] = [];
  let steps: Step[] = [];
  for (const item of all) {
    if (item.is === "task" || item.is === "said") {
      blocks.push(item);
      steps = [];
    } else {
      if (steps.length === 0) blocks.push({ is: "steps", seq: seqOf(item), steps });
      steps.push(item);
    }
  }
  return blocks;
}

function seqOf(item: Item | Reply): number {
  return item.is === "call" ? item.moment.event.seq : item.seq;
}
