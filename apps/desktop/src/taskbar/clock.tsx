import { useEffect, useState } from "react";
import { shortDay, shortTime } from "../words.ts";

const MINUTE_MS = 60_000;

export function Clock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), MINUTE_MS - (Date.now() % MINUTE_MS));
    return () => clearTimeout(timer);
  }, [now]);
  return (
    <time className="clock" dateTime={now.toISOString()}>
      <span>{shortTime(now)}</span>
      <span className="clock-day">{shortDay(now)}</span>
    </time>
  );
}
