import { type Command, Path } from "@choiros/contract";
import type { Manifest } from "../apps/app.ts";
import { apps } from "../apps/registry.ts";
import type { DeskApi, Opening } from "../desk/api.ts";
import type { FileLine } from "../desk/shapes.ts";
import { filesNamed } from "./completions.ts";

interface Parts {
  readonly api: DeskApi;
  /** How what is found is opened. */
  readonly opens: Opening;
}

/** An app by its name or title; else the file that matches best. Whether there was any. */
export async function open(parts: Parts, what: string): Promise<boolean> {
  const { api, opens } = parts;
  const app = appNamed(what);
  if (app !== undefined) opens.open(app.id);
  else if (isArea(what)) showFolder(parts, { do: "files", folder: what });
  else {
    const best = await bestFile(api, what);
    if (best === undefined) return false;
    openLine(opens, best);
  }
  return true;
}

/** A name is no longer than this. */
const MOST_CHARACTERS = 255;

/**
 * Opens what is called exactly so: an app, a file or a folder; where several files are, Files shows them. Whether there
 * was any: if not, it is somebody's ask.
 */
export async function openNamed(parts: Parts, text: string): Promise<boolean> {
  const { api, opens } = parts;
  if (text.includes("\n") || text.length > MOST_CHARACTERS) return false;
  const app = appNamed(text);
  if (app !== undefined) {
    opens.open(app.id);
    return true;
  }
  if (api.connection.get() !== "live") return false; // an ask waits for the connection, and isn't held up by this
  const found = await api.files.find(text, MOST_FOUND).catch(() => []); // what was said isn't lost by that
  const exact = found.filter(({ key }) => isCalled(key, text));
  const whole = exact.find(({ key }) => isKey(key, text));
  const [one] = whole === undefined ? exact : [whole];
  if (one === undefined) return false;
  if (whole === undefined && exact.length > 1) showFolder(parts, { do: "find", text });
  else openLine(opens, one);
  return true;
}

export function showFolder({ api, opens }: Parts, said: Extract<Command, { do: "find" | "files" }>): void {
  const folder = apps.get().find((app) => app.opens.includes("folder"));
  if (folder === undefined) return void api.notify({ text: "No app here shows folders.", kind: "wrong" });
  if (said.do === "find") return void opens.open(folder.id, { key: "workspace", find: said.text });
  const key = (said.folder ?? "workspace").replace(/^\/|\/$/g, "");
  opens.open(folder.id, {
    find: "",
    key: /^(?:workspace|artifacts|choiros)(?:\/|$)/.test(key) ? key : `workspace/${key}`,
  });
}

const MOST_FOUND = 20;

/** The one of exactly this name, or else the first that has it in its own name: that of a folder above it isn't meant. */
export async function bestFile(api: DeskApi, said: string): Promise<FileLine | undefined> {
  const name = said.replace(/^\/|\/$/g, "");
  const found = await api.files.find(name, MOST_FOUND);
  const own = nameIn(name).toLowerCase();
  return (
    found.find(({ key }) => isKey(key, name)) ??
    found.find(({ key }) => isCalled(key, name)) ??
    found.find(({ key }) => nameIn(key).toLowerCase().includes(own))
  );
}

/** The keys of what is named with `@` in a text, of what there is: any other `@` is a part of the text. */
export async function keysNamed(api: DeskApi, text: string): Promise<string[]> {
  const found = await Promise.all(filesNamed(text).map((name) => keyNamed(api, name)));
  return [...new Set(found.filter((key) => key !== undefined))];
}

async function keyNamed(api: DeskApi, name: string): Promise<string | undefined> {
  const whole = name.replace(/^\//, "");
  // Nobody can look now, and an ask isn't held up by this: what has all of its path is taken at its word.
  if (api.connection.get() !== "live") return isWhole(whole) ? whole : undefined;
  const found = await api.files.find(whole, MOST_FOUND).catch(() => []); // what was said isn't lost by that
  return found.find(({ key }) => isKey(key, whole))?.key;
}

function isWhole(name: string): boolean {
  return /^(?:workspace|artifacts|choiros)\//.test(name) && Path.safeParse(name).success;
}

function openLine(opens: Opening, { entry, key }: FileLine): void {
  opens.openFile(key, entry.kind === "dir" ? "folder" : "file");
}

/** One whose windows each show something of their own isn't meant by its name: there would be nothing in it. */
function appNamed(name: string): Manifest | undefined {
  const sought = name.toLowerCase();
  return apps.get().find(({ id, of, title }) => of === undefined && (id === sought || title.toLowerCase() === sought));
}

function isKey(key: string, name: string): boolean {
  return key === name || key === `workspace/${name}`;
}

function isCalled(key: string, name: string): boolean {
  return isKey(key, name) || nameIn(key).toLowerCase() === name.toLowerCase();
}

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** A folder that every computer has. */
function isArea(name: string): boolean {
  return /^\/?(?:workspace|artifacts|choiros)\/?$/.test(name);
}
