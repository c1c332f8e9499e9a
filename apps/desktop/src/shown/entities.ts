/** `&amp;` and its like as the letters they stand for; those that nobody knows stay as they are written. */
export function entitiesRead(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  });
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  asymp: "≈",
  bull: "•",
  cent: "¢",
  copy: "©",
  deg: "°",
  divide: "÷",
  emsp: "\u2003",
  euro: "€",
  frac12: "½",
  ge: "≥",
  gt: ">",
  harr: "↔",
  hellip: "…",
  infin: "∞",
  laquo: "«",
  larr: "←",
  ldquo: "“",
  le: "≤",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  middot: "·",
  nbsp: "\u00a0",
  ndash: "–",
  ne: "≠",
  plusmn: "±",
  pound: "£",
  quot: '"',
  raquo: "»",
  rarr: "→",
  rdquo: "”",
  reg: "®",
  rsquo: "’",
  sect: "§",
  times: "×",
  trade: "™",
};
