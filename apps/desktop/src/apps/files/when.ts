import { shortDay, shortTime } from "../../words.ts";

const JUST_MS = 60_000;
const DAY_MS = 86_400_000;
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "long" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/** When something was, in as few words as say it. */
export function whenWords(ts: string, now = new Date()): string {
  const then = new Date(ts);
  const age = now.getTime() - then.getTime();
  if (Math.abs(age) < JUST_MS) return "just now";
  const days = Math.round((startOfDay(now) - startOfDay(then)) / DAY_MS);
  if (days === 0) return `Today ${shortTime(then)}`;
  if (days === 1) return `Yesterday ${shortTime(then)}`;
  if (days > 1 && days < 7) return `${weekday.format(then)} ${shortTime(then)}`;
  return then.getFullYear() === now.getFullYear() ? `${shortDay(then)} ${shortTime(then)}` : date.format(then);
}

function startOfDay(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
}
