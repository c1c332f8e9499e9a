import { isBelow } from "@choiros/contract";
import { GIT_AND_PACKAGES, spelledHost } from "@choiros/sandbox";
import type { Need } from "./lease.ts";
import { inOneLine, unquoted } from "./quoted.ts";
import { ROOT, shownWord, writtenPath } from "./written-path.ts";

export const NEED_KINDS = ["read", "edit", "secret", "network", "tool"] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

/** A need with its parts: of a path, its key. */
export interface ParsedNeed {
  readonly kind: NeedKind;
  readonly what: string;
}

/** The line for a path. */
export function pathNeed(kind: "read" | "edit" | "secret", key: string): Need {
  return `${kind} ${shownWord(key)}`;
}

export function networkNeed(host: string): Need {
  return `network ${host}`;
}

/** Hosts as somebody wrote them, in the one spelling that is shown, judged and reached; or what is wrong with one. */
export function writtenHosts(words: readonly string[]): string[] | { readonly why: string } {
  const hosts: string[] = [];
  for (const word of words) {
    const spelled = spelledHost(word);
    if ("why" in spelled) return { why: `'${inOneLine(word)}' can't be a host: ${spelled.why}` };
    hosts.push(spelled.host);
  }
  return hosts;
}

export function toolNeed(name: string): Need {
  return `tool ${name}`;
}

export function isToolName(word: string): boolean {
  return word !== "*" && TOOL.test(word);
}

/** What a line means, or what is wrong with it; goes on from the line. */
export function parseNeed(line: Need): ParsedNeed | { readonly why: string } {
  const space = line.indexOf(" ");
  const [word, rest] = space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
  const kind = NEED_KINDS.find((one) => one === word);
  if (kind === undefined) return { why: `must begin with one of ${NEED_KINDS.join(", ")}` };
  if (rest === "") return { why: `must say what after '${kind}'` };
  if (kind === "tool") return TOOL.test(rest) ? { kind, what: rest } : { why: "must name a tool, or *" };
  if (kind === "network") return parseHost(rest);
  const path = unquoted(rest);
  if (path === undefined) return { why: "must have a path that is quoted as JSON is" };
  const written = writtenPath(path);
  return "why" in written ? written : { kind, what: written.key };
}

/** Whether what one line names has all that another one names. Neither may be wrong. */
export function covers(line: ParsedNeed, need: ParsedNeed): boolean {
  if (line.kind !== need.kind) return false;
  if (line.what === need.what) return true;
  if (line.kind === "tool") return line.what === "*";
  if (line.kind === "network") return hostCovers(line.what, need.what);
  return line.what === ROOT || isBelow(need.what, line.what);
}

/** How exactly a line names something: of those that cover one need, the greatest names it best. */
export function exactness({ kind, what }: ParsedNeed): number {
  if (what === "*" || what === ROOT) return 0;
  if (kind === "tool" || what === GIT_PKG) return 1;
  if (kind === "network") return what.startsWith("*.") ? what.split(".").length : EXACT_HOST;
  return what.split("/").length;
}

export const GIT_PKG = "git+pkg";
/** No name of a host has as many parts. */
const EXACT_HOST = 1000;
const TOOL = /^(?:\*|[a-z][a-z0-9_]{0,63})$/;

function parseHost(text: string): ParsedNeed | { readonly why: string } {
  if (text === "*" || text.toLowerCase() === GIT_PKG) return { kind: "network", what: text.toLowerCase() };
  const any = text.startsWith("*.") ? "*." : "";
  const spelled = spelledHost(text.slice(any.length));
  if ("why" in spelled) return { why: `must name a host, *.domain, git+pkg or *: ${spelled.why}` };
  return { kind: "network", what: `${any}${spelled.host}` };
}

function hostCovers(line: string, need: string): boolean {
  if (line === "*") return true;
  if (line === GIT_PKG) return GIT_AND_PACKAGES.includes(need);
  return line.startsWith("*.") && (need === line.slice(2) || need.endsWith(line.slice(1)));
}
