import { suggest } from "@choiros/contract";
import { Folder } from "lucide-react";
import type { Manifest } from "../apps/app.ts";

/** What the bar offers for what was typed so far. */
export interface Offer {
  readonly kind: "command" | "app" | "file" | "asked";
  readonly shows: string;
  readonly help: string;
  /** Its own, where it has one. */
  readonly icon?: Manifest["icon"];
  /** What the bar holds when it is chosen. */
  readonly fill: string;
  /** Chosen, it is done at once: there is nothing more to say. */
  readonly whole: boolean;
}

export interface Known {
  readonly apps: readonly Pick<Manifest, "hidden" | "icon" | "id" | "title">[];
  readonly files: readonly Named[];
  /** What was asked before, the newest first. */
  readonly asked: readonly string[];
}

/** A file or a folder. */
interface Named {
  readonly key: string;
  readonly entry: { readonly kind: string };
}

const MOST_COMMANDS = 6;
const MOST_ASKED = 3;
const MOST_APPS = 3;

/** Commands that it could become, apps, files, and what was asked before. With no text at all, every command. */
export function offersFor(text: string, { apps, files, asked }: Known): Offer[] {
  const begun = text.trim().toLowerCase();
  const file = fileBegun(text);
  if (file !== undefined) return files.map((one) => fileOffer(one, `${file.before}@${quoted(one.key)} `, false));
  const commands = suggest(text).map(
    ({ fill, help, shows }): Offer => ({ kind: "command", shows, help, fill, whole: false }),
  );
  if (begun === "") return commands;
  const named = /^(?:open|find)\s+(.*)$/is.exec(text.trim())?.[1]?.toLowerCase() ?? begun;
  return [
    ...commands.slice(0, MOST_COMMANDS),
    ...apps
      .filter(({ hidden, title }) => hidden !== true && ` ${title.toLowerCase()}`.includes(` ${named}`)) // a word's beginning
      .slice(0, MOST_APPS)
      .map(
        ({ icon, id, title }): Offer => ({
          kind: "app",
          shows: title,
          help: "app",
          icon,
          fill: `open ${id}`,
          whole: true,
        }),
      ),
    ...files.map((one) => fileOffer(one, `open ${quoted(one.key)}`, true)),
    ...asked
      .filter((one) => one.toLowerCase().includes(begun) && one !== text)
      .slice(0, MOST_ASKED)
      .map((one): Offer => ({ kind: "asked", shows: one, help: "asked before", fill: one, whole: false })),
  ];
}

/** What to look for among the files: after `@` what follows it, after `open` and `find` the rest, else all of it. */
export function soughtIn(text: string): string {
  const file = fileBegun(text);
  if (file !== undefined) return file.name;
  const [, rest] = /^(?:open|find|files|wallpaper)\s+(.*)$/is.exec(text.trimStart()) ?? [];
  return (rest ?? text).trim();
}

/** Whether an `@` is being written at the end. */
export function namesFile(text: string): boolean {
  return fileBegun(text) !== undefined;
}

/** The `@` that is being written at the end. */
function fileBegun(text: string): { readonly before: string; readonly name: string } | undefined {
  const [, before, name] = /^(.*(?:^|\s))@([^\s"]*)$/s.exec(text) ?? [];
  return before === undefined || name === undefined ? undefined : { before, name };
}

/** Files that are named with `@`, as they stand in what was typed. */
export function filesNamed(text: string): string[] {
  return [...text.matchAll(/(?:^|\s)@(?:"([^"]+)"|(\S+))/g)].map(([, spaced, plain]) => spaced ?? plain ?? "");
}

function fileOffer({ entry, key }: Named, fill: string, whole: boolean): Offer {
  const slash = key.lastIndexOf("/");
  const icon = entry.kind === "dir" ? { icon: Folder } : {};
  return { kind: "file", shows: key.slice(slash + 1), help: key.slice(0, Math.max(0, slash)), ...icon, fill, whole };
}

/** A name as it is typed: in quotes where there is a space in it. */
export function quoted(key: string): string {
  return /\s/.test(key) ? `"${key}"` : key;
}
