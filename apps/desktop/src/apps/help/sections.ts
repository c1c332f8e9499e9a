import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { entitiesRead } from "../../shown/entities.ts";

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
  /** As they are read, without the signs that make them Markdown: a paragraph, a point, a row or a line of an example each; last, what its pictures show. */
  readonly lines: readonly string[];
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
  let pictures: string[] = [];
  const end = () => {
    if (heading !== "" || lines.length + pictures.length > 0)
      sections.push({ page, heading, lines: [...lines, ...pictures] });
    [lines, pictures] = [[], []];
  };
  for (const token of tokensOf(page.text)) {
    if (token.type === "heading") {
      if (token.depth === 1) continue;
      end();
      heading = wordsIn(token.tokens);
    } else if (isPictures(token)) pictures.push(...filled(token.tokens.map((one) => wordsIn([one]))));
    else lines.push(...linesOf(token));
  }
  end();
  return sections;
}

function tokensOf(text: string): MarkedToken[] {
  return lexer(text, { gfm: true }) as MarkedToken[]; // there are no extensions that would make others
}

function isPictures(token: MarkedToken): token is Tokens.Paragraph {
  return token.type === "paragraph" && token.tokens.every(({ type, raw }) => type === "image" || raw.trim() === "");
}

function linesOf(token: MarkedToken): string[] {
  switch (token.type) {
    case "paragraph":
      return filled([wordsIn(token.tokens)]);
    case "text":
      return filled([wordsIn(token.tokens ?? [token])]);
    case "code":
      return filled(token.text.split("\n"));
    case "list":
      return token.items.flatMap((item) => blocksIn(item.tokens));
    case "blockquote":
      return blocksIn(token.tokens);
    case "table":
      return filled([token.header, ...token.rows].map(rowIn));
    default:
      return [];
  }
}

function blocksIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => linesOf(token as MarkedToken)); // as above
}

function rowIn(cells: readonly Tokens.TableCell[]): string {
  return filled(cells.map(({ tokens }) => wordsIn(tokens))).join(" · ");
}

/** In one line, however it is wrapped; of a picture, what it shows. */
function wordsIn(tokens: readonly Token[]): string {
  const words = (token: MarkedToken): string => {
    if (token.type === "codespan" || token.type === "escape" || token.type === "image") return token.text;
    if ("tokens" in token && token.tokens !== undefined) return wordsIn(token.tokens);
    return token.type === "text" ? entitiesRead(token.text) : " ";
  };
  return tokens
    .map((token) => words(token as MarkedToken)) // as above
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function filled(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}
