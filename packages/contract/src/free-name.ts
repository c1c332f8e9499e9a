/** The key itself where nothing stands there; else with the first number that makes it free: `a 2.md`. */
export function freeName(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key;
  const [, stem = key, ending = ""] = /^(.*?[^/])(\.[^./]+)?$/s.exec(key) ?? [];
  let i = 2;
  while (taken.has(`${stem} ${i}${ending}`)) i++;
  return `${stem} ${i}${ending}`;
}

/** What a new document is called: it is Markdown where nobody says otherwise. */
export function documentName(name = "Untitled"): string {
  return /\.[^./]+$/.test(name) ? name : `${name}.md`;
}
