import type { When } from "./command.ts";

/**
 * A moment in words: `event 120`, `10 minutes ago`, `yesterday 14:00`, `monday`, `2026-11-15 9:30`. Times are those of
 * whoever asks; a day without a time is how it was when that day ended. What hasn't been yet is no moment.
 */
export function parseWhen(text: string, now: Date): When | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const [, event] = /^(?:event |#)?(\d{1,15})$/.exec(words) ?? [];
  if (event !== undefined) return Number(event) > 0 ? { event: Number(event) } : undefined;
  const time = agoOf(words, now) ?? clockOf(words, now) ?? dayOf(words, now);
  if (time === undefined || !(time.getTime() <= now.getTime())) return undefined;
  return { time: time.toISOString() };
}

/** Whether every word is one of times and events, as in `2030-01-01`, `next friday` or `3 o'clock`: nothing else can be meant. */
export function isAboutTime(text: string): boolean {
  const words = text.trim().toLowerCase().split(/\s+/);
  return words.every((word) => TIME.test(word) || JOINING.test(word)) && words.some((word) => TIME.test(word));
}

const TIME =
  /^(?:#?\d[\d:./-]*(?:am|pm|st|nd|rd|th)?|now|noon|midnight|today|tomorrow|yesterday|(?:second|sec|minute|min|hour|day|week|month|year)s?|(?:sun|mon|tues|wednes|thurs|fri|satur)day)$/;
const JOINING = /^(?:an?|ago|am|and|at|event|half|in|last|next|o'clock|on|pm)$/;

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const AGO = /^(half an|half a|an?|\d{1,6}|[a-z]+) (second|sec|minute|min|hour|day|week|month|year)s?(?: ago)?$/;

function agoOf(words: string, now: Date): Date | undefined {
  const [, amount = "", unit = ""] = AGO.exec(words) ?? [];
  const count = amountOf(amount);
  if (count === undefined) return undefined;
  const time = new Date(now);
  const whole = Math.floor(count);
  if (unit === "year") time.setFullYear(time.getFullYear() - whole);
  else if (unit === "month") time.setMonth(time.getMonth() - whole);
  else if (unit === "week" || (unit === "day" && count === whole))
    time.setDate(time.getDate() - Math.floor(count * (unit === "week" ? 7 : 1)));
  else time.setTime(time.getTime() - count * (MILLISECONDS[unit] ?? 0));
  return time;
}

function amountOf(word: string): number | undefined {
  if (word.startsWith("half ")) return 0.5;
  if (word === "a" || word === "an") return 1;
  const number = /^\d+$/.test(word) ? Number(word) : NUMBERS.indexOf(word);
  return number > 0 ? number : undefined;
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  day: 86_400_000,
  hour: 3_600_000,
  min: 60_000,
  minute: 60_000,
  sec: 1000,
  second: 1000,
};

/** A time alone is today's, or yesterday's where today hasn't come to it yet. */
function clockOf(words: string, now: Date): Date | undefined {
  const minutes = minutesOf(words.replace(/^at /, ""));
  if (minutes === undefined) return undefined;
  const time = atMinutes(now, minutes);
  if (time > now) time.setDate(time.getDate() - 1);
  return time;
}

function dayOf(words: string, now: Date): Date | undefined {
  const [, name = "", clock] = /^(?:last |on )?(\S+)(?: (?:at )?(\S+(?: ?[ap]m)?))?$/.exec(words) ?? [];
  const day = namedDay(name, now);
  if (day === undefined) return undefined;
  if (clock !== undefined) {
    const minutes = minutesOf(clock);
    return minutes === undefined ? undefined : atMinutes(day, minutes);
  }
  if (name === "today") return atMinutes(day, 0);
  const end = atMinutes(day, 0);
  end.setDate(end.getDate() + 1);
  return new Date(end.getTime() - 1);
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The last one of its name before today. */
function namedDay(name: string, now: Date): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(name) ?? [];
  if (year !== undefined) {
    const day = new Date(Number(year), Number(month) - 1, Number(date));
    return day.getMonth() === Number(month) - 1 ? day : undefined; // the 31st of February is none
  }
  const weekday = WEEKDAYS.indexOf(name);
  const back = name === "today" ? 0 : name === "yesterday" ? 1 : weekday < 0 ? undefined : daysSince(weekday, now);
  if (back === undefined) return undefined;
  const day = new Date(now);
  day.setDate(day.getDate() - back);
  return day;
}

function daysSince(weekday: number, now: Date): number {
  return (now.getDay() - weekday + 7) % 7 || 7;
}

/** `14:00`, `9.30`, `2pm`, `2:30 pm`, `noon`, `midnight`, in minutes of the day. */
function minutesOf(clock: string): number | undefined {
  if (clock === "noon") return 12 * 60;
  if (clock === "midnight") return 0;
  const [, hour, minute = "00", half] = /^(\d{1,2})(?:[:.](\d{2}))?(?: ?([ap]m))?$/.exec(clock) ?? [];
  if (hour === undefined || (minute === "00" && half === undefined && !/[:.]/.test(clock))) return undefined;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === "pm" ? 12 : 0);
  const possible =
    hours < 24 && Number(minute) < 60 && (half === undefined || (Number(hour) >= 1 && Number(hour) <= 12));
  return possible ? hours * 60 + Number(minute) : undefined;
}

function atMinutes(day: Date, minutes: number): Date {
  const time = new Date(day);
  time.setHours(Math.floor(minutes / 60), minutes % 60, 0, 0);
  return time;
}
