import { plain, plainText } from "@choiros/contract";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { createElement, Fragment, type ReactNode, useMemo } from "react";
import type { DeskApi } from "../desk/api.ts";
import { DeskImage } from "./desk-image.tsx";
import { entitiesRead } from "./entities.ts";
import { isTame } from "./is-tame.ts";
import { linkTarget, slugOf } from "./link-target.ts";
import "./markdown.css";

export interface MarkdownParts {
  readonly text: string;
  /** The key of the folder that its links and pictures start from. */
  readonly folder: string;
  readonly desk: Pick<DeskApi, "files" | "openFile" | "visit">;
}

/** More of it is only letters, which nobody reads at once. */
const MAX_CHARACTERS = 500_000;

/**
 * A document that anybody may have written: HTML in it is shown as it is written, pages open beside the desktop once the
 * console has asked, and pictures are files of this computer or none at all.
 */
export function Markdown({ text, folder, desk }: MarkdownParts) {
  const body = useMemo(() => {
    const tokens = parsed(text.slice(0, MAX_CHARACTERS));
    return tokens === undefined ? <pre>{plainText(text)}</pre> : drawn(tokens, { folder, desk });
  }, [text, folder, desk]);
  return (
    <div className="md">
      {body}
      {text.length > MAX_CHARACTERS && <p className="faint">The rest isn't shown here: it is too long.</p>}
    </div>
  );
}

type Within = Pick<MarkdownParts, "folder" | "desk">;

function parsed(text: string): Token[] | undefined {
  if (!isTame(text)) return undefined; // it would take minutes
  try {
    return lexer(text, { gfm: true });
  } catch {
    return undefined; // so deep that nobody can follow: it is shown as it is written
  }
}

function drawn(tokens: readonly Token[] | undefined, within: Within): ReactNode[] {
  return (tokens ?? []).map((token, i) => <Fragment key={i}>{one(token as MarkedToken, within)}</Fragment>); // there are no extensions that would make others
}

function one(token: MarkedToken, within: Within): ReactNode {
  switch (token.type) {
    case "heading":
      return createElement(`h${token.depth}`, { "data-slug": slugOf(token.text) }, drawn(token.tokens, within));
    case "paragraph":
      return <p>{drawn(token.tokens, within)}</p>;
    case "text":
      return token.tokens === undefined ? words(token.text) : drawn(token.tokens, within);
    case "code":
      return <CodeBlock language={token.lang ?? ""} text={token.text} />;
    case "blockquote":
      return <blockquote>{drawn(token.tokens, within)}</blockquote>;
    case "list":
      return list(token, within);
    case "checkbox":
      return <input type="checkbox" checked={token.checked} disabled aria-label={token.checked ? "Done" : "To do"} />;
    case "table":
      return table(token, within);
    case "hr":
      return <hr />;
    case "strong":
      return <strong>{drawn(token.tokens, within)}</strong>;
    case "em":
      return <em>{drawn(token.tokens, within)}</em>;
    case "del":
      return <del>{drawn(token.tokens, within)}</del>;
    case "codespan":
      return <code>{plain(token.text)}</code>;
    case "br":
      return <br />;
    case "escape":
      return words(token.text);
    case "link":
      return <Link token={token} within={within} />;
    case "image":
      return picture(token, within);
    case "html":
      return token.block ? <pre>{plainText(token.text)}</pre> : plain(token.text);
    default:
      return null; // spaces, and definitions of links, which others have used
  }
}

function words(text: string): string {
  return plainText(entitiesRead(text));
}

function list({ ordered, start, items }: Tokens.List, within: Within): ReactNode {
  const lines = items.map((item, i) => (
    <li key={i} className={item.task ? "md-task" : undefined}>
      {drawn(item.tokens, within)}
    </li>
  ));
  return ordered ? <ol start={start === "" ? 1 : start}>{lines}</ol> : <ul>{lines}</ul>;
}

function table({ header, rows }: Tokens.Table, within: Within): ReactNode {
  const cell = (name: "th" | "td") => (one: Tokens.TableCell, i: number) =>
    createElement(name, { key: i, className: one.align === null ? undefined : `md-${one.align}` }, drawn(one.tokens, within)); // biome-ignore format: in one line
  return (
    <div className="md-table">
      <table>
        <thead>
          <tr>{header.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>{row.map(cell("td"))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CodeBlock({ language, text }: { language: string; text: string }) {
  const [name = ""] = language.split(/\s/);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre className="md-code" tabIndex={0}>
      {name !== "" && <span className="md-language">{plain(name)}</span>}
      <code>{plainText(text)}</code>
    </pre>
  );
}

function Link({ token, within }: { token: Tokens.Link; within: Within }) {
  const target = linkTarget(token.href, within.folder);
  const children = drawn(token.tokens, within);
  switch (target.is) {
    case "page":
      return (
        <button
          type="button"
          className="md-link"
          title={plain(target.address)}
          onClick={() => within.desk.visit(target.address)}
        >
          {children}
        </button>
      );
    case "file":
      return (
        <button
          type="button"
          className="md-link"
          title={plain(target.key)}
          onClick={() => within.desk.openFile(target.key)}
        >
          {children}
        </button>
      );
    case "heading":
      return (
        <button type="button" className="md-link" onClick={({ currentTarget }) => goTo(currentTarget, target.slug)}>
          {children}
        </button>
      );
    default:
      return <>{children}</>;
  }
}

function goTo(from: HTMLElement, slug: string): void {
  const headings = [...(from.closest(".md")?.querySelectorAll<HTMLElement>("[data-slug]") ?? [])];
  headings.find(({ dataset }) => dataset.slug === slug)?.scrollIntoView({ block: "start" });
}

function picture({ href, text }: Tokens.Image, { folder, desk }: Within): ReactNode {
  const target = linkTarget(href, folder);
  if (target.is === "file") return <DeskImage desk={desk} at={target.key} words={words(text)} />;
  return <span className="md-no-image">{words(text) || "a picture from elsewhere"}</span>;
}
