/** Without the head that git writes: what it says is shown in other ways. */
export function diffBody(lines: string): string[] {
  const all = lines.replace(/\n$/, "").split("\n");
  const start = all.findIndex((line) => line.startsWith("@@"));
  return start < 0 ? [] : all.slice(start);
}

export function diffCounts(lines: string): { readonly added: number; readonly removed: number } {
  const body = diffBody(lines);
  const starting = (sign: string) => body.filter((line) => line.startsWith(sign)).length;
  return { added: starting("+"), removed: starting("-") };
}
