export interface Link {
  readonly offset: number;
  readonly target: string;
}

const INLINE = /\]\(\s*(<[^<>\n]*>|[^\s()<]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/dg;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*(<[^<>\n]*>|\S+)/dgm;
const HTML = /<[a-z][^<>]*?\s(?:href|src)="([^"]*)"/dg;

/** Every link and image of a Markdown text, but not what code shows. */
export function linksOf(markdown: string): Link[] {
  const prose = withoutSpans(withoutFences(markdown));
  return [INLINE, DEFINITION, HTML]
    .flatMap((pattern) => [...prose.matchAll(pattern)])
    .map((match) => ({ offset: match.indices?.[1]?.[0] ?? 0, target: (match[1] ?? "").replace(/^<(.*)>$/, "$1") }));
}

/** What can stand after a `#`: a heading the way GitHub spells it, or an explicit anchor. */
export function anchorsOf(markdown: string): Set<string> {
  const text = withoutFences(markdown);
  const anchors = new Set([...text.matchAll(/<[a-z][^<>]*?\s(?:id|name)="([^"]*)"/g)].map((match) => match[1] ?? ""));
  const seen = new Map<string, number>();
  for (const [, heading = ""] of text.matchAll(/^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$/gm)) {
    const slug = slugOf(heading);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return anchors;
}

/** The text with each block of code, and each comment, blanked out, so that every offset stays what it was. */
export function withoutFences(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)??[ \t]*\1[`~]*[ \t]*$/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank);
}

/** A span of code ends with its paragraph, so a stray backtick hides nothing further down. */
function withoutSpans(markdown: string): string {
  return markdown.replace(/(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/g, blank);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function slugOf(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^<>]*>/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
