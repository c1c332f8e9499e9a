/** A page of the guide. */
export interface Page {
  /** Its file: `undo.md`. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** A heading of a page, with what stands below it. */
export interface Section {
  readonly page: Page;
  /** Empty at the beginning of a page. */
  readonly heading: string;
  readonly text: string;
}

export interface Found {
  readonly section: Section;
  /** The line that has the first of the words, as it is read. */
  readonly line: string;
}

/** By the names of their files; the title is the first heading. */
export function pagesOf(files: Readonly<Record<string, string>>): Page[] {
  return Object.entries(files)
    .map(([path, text]) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return { name, text, title: /^# (.+)$/m.exec(text)?.[1] ?? name.replace(/\.md$/, "") };
    })
    .sort((one, two) => one.title.localeCompare(two.title));
}

export function sectionsOf(page: Page): Section[] {
  const sections: Section[] = [];
  let heading = "";
  let lines: string[] = [];
  let fenced = false;
  const end = () => {
    if (heading !== "" || lines.some((line) => line.trim() !== ""))
      sections.push({ page, heading, text: lines.join("\n") });
    lines = [];
  };
  for (const line of page.text.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    const found = fenced ? undefined : /^#{2,6} (.+)$/.exec(line)?.[1];
    if (found !== undefined) {
      end();
      heading = read(found);
    } else if (fenced || !line.startsWith("# ")) lines.push(line);
  }
  end();
  return sections;
}

/** The sections that have words that begin with all of these, whatever their case; those that have them in a title first. */
export function search(sections: readonly Section[], words: string): Found[] {
  const wanted = wordsOf(words);
  if (wanted.length === 0) return [];
  const rated = sections.flatMap((section) => {
    const [title, heading, text] = [section.page.title, section.heading, section.text].map((part) =>
      part.toLowerCase(),
    );
    const whole = `${title}\n${heading}\n${text}`;
    if (!wanted.every((word) => hasWord(whole, word))) return [];
    const times = (part = "") => wanted.filter((word) => hasWord(part, word)).length;
    const rate = 4 * times(heading) + (section.heading === "" ? 3 : 1) * times(title) + times(text);
    return [{ section, rate, line: lineWith(section.text, wanted) }];
  });
  return rated.sort((one, two) => two.rate - one.rate).map(({ section, line }) => ({ section, line }));
}

export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Whether one of its words begins so; what begins with a sign is found anywhere. */
function hasWord(text: string, beginning: string): boolean {
  const isWord = /^[\p{L}\p{N}]/u.test(beginning);
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    if (!isWord || !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at))) return true;
  }
  return false;
}

function lineWith(text: string, words: readonly string[]): string {
  const lines = text
    .split("\n")
    .map(read)
    .filter((line) => line !== "");
  const rate = (line: string) => words.filter((word) => hasWord(line.toLowerCase(), word)).length;
  return lines.reduce((best, line) => (rate(line) > rate(best) ? line : best), lines[0] ?? "");
}

/** Without the signs that make it Markdown. */
function read(line: string): string {
  if (/^(?:```|\|[\s|:-]*$|!\[)/.test(line)) return "";
  return line
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`|]|^\s*[-#>]+\s/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
