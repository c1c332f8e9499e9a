const near = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const far = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** The same where there is hardly any room. */
export function shortDayOf(ts: string): string {
  return short.format(new Date(ts));
}

/** The day of an event, as short as it can be told from the others. */
export function dayOf(ts: string, now: Date = new Date()): string {
  const date = new Date(ts);
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return "Today";
  if (date.toDateString() === yesterday.toDateString()) return "Yesterday";
  return (date.getFullYear() === now.getFullYear() ? near : far).format(date);
}
