/** How things are said, in one place: times and numbers. */

const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
export const number = new Intl.NumberFormat("en");

/** The key that commands go with on this machine. */
export const COMMAND_KEY = /Mac|iP(?:hone|ad)/.test(navigator.platform) ? "⌘" : "Ctrl";

export function shortTime(date: Date): string {
  return time.format(date);
}

export function shortDay(date: Date): string {
  return day.format(date);
}

export function dayAndTime(ts: string): string {
  return whole.format(new Date(ts));
}

/** As one says it to somebody: by the day it is for them. */
export function momentWords(at: Date, now: Date): string {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (at.toDateString() === now.toDateString()) return `today at ${shortTime(at)}`;
  if (at.toDateString() === yesterday.toDateString()) return `yesterday at ${shortTime(at)}`;
  if (at.getFullYear() === now.getFullYear()) return `on ${shortDay(at)} at ${shortTime(at)}`;
  return `on ${dayAndTime(at.toISOString())}`;
}

export function count(many: number, one: string): string {
  return `${number.format(many)} ${many === 1 ? one : `${one}s`}`;
}

const UNITS = ["KB", "MB", "GB", "TB"];

export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit = -1;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
