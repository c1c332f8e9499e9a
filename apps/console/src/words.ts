/** How things are said, in one place: times, sizes, browsers. */

const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
export const number = new Intl.NumberFormat("en");

/** The time where it is today's, the day where it isn't. */
export function shortTime(ts: string, now: Date = new Date()): string {
  const date = new Date(ts);
  return date.toDateString() === now.toDateString() ? time.format(date) : day.format(date);
}

export function dayAndTime(ts: string): string {
  return whole.format(new Date(ts));
}

const UNITS = ["KB", "MB", "GB", "TB"];

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit = -1;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

export function count(many: number, one: string): string {
  return `${number.format(many)} ${many === 1 ? one : `${one}s`}`;
}

const LONG = 160;

/** A heading's worth of a text. */
export function shorten(text: string): string {
  return text.length <= LONG ? text : `${text.slice(0, LONG).replace(/\s+\S*$/, "")}…`;
}

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg\//, "Edge"],
  [/\bFirefox\//, "Firefox"],
  [/\bChrom(?:e|ium)\/|HeadlessChrome/, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biP(?:hone|ad)\b/, "iOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bWindows\b/, "Windows"],
  [/\bLinux\b/, "Linux"],
];

/** What people call it, or what it calls itself. */
export function browserOf(userAgent: string): string {
  const find = (list: readonly [RegExp, string][]) => list.find(([sign]) => sign.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return userAgent.slice(0, 40) || "Unknown browser";
  return system === undefined ? browser : `${browser} on ${system}`;
}
