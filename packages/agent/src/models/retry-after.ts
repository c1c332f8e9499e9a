/** How long a provider wants to be let alone, as its headers tell: milliseconds, seconds, or a date. */
export function retryAfterOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const ms = amountOf(headers["retry-after-ms"]);
  if (ms !== undefined) return ms;
  const after = headers["retry-after"];
  const seconds = amountOf(after);
  if (seconds !== undefined) return seconds * 1000;
  const date = /^[A-Z][a-z]{2}, /.test(after ?? "") ? Date.parse(after ?? "") : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function amountOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
