import { type Layout, parseLayout, type Recognised, SYSTEM_KEYS, type Theme } from "@choiros/contract";
import type { Registered } from "../apps/registered.ts";
import { appOf, parseRegistry, putRegistry } from "../apps/registry.ts";
import type { DeskApi } from "../desk/api.ts";
import type { PostedNotice } from "../desk/notices.ts";
import { sentence } from "../desk/problem.ts";
import { Watched } from "../watched.ts";
import { fileSize } from "../words.ts";
import { MOST_PICTURE } from "./change-wallpaper.ts";
import { keepTheme, keptTheme } from "./kept-theme.ts";
import { pictureIn } from "./picture.ts";
import { parseReadable } from "./theme-fault.ts";

const FOLDER = "artifacts/system";
const MOST_TEXT = 1_000_000;
/** So many versions back a good one is looked for. */
const MOST_VERSIONS = 20;

/** One of the files: what it is read as, and who wants to know. */
interface Kind<Value> {
  readonly key: string;
  /** In bytes. */
  readonly most: number;
  /** `undefined`: there is no such file. */
  put(value: Value | undefined): void;
  read(response: Response): Promise<Recognised<Value>>;
  /** The apps that it names and that aren't there: no reason to leave everything else. */
  missing?(value: Value): readonly string[];
}

/**
 * The files that the desktop is made of. A broken one is told of, and the last good one stays: the one that is worn, or
 * where none was read yet, the newest good version in the log.
 */
export class SystemFiles {
  readonly theme = new Watched<Theme | undefined>(keptTheme());
  readonly layout = new Watched<Layout | undefined>(undefined);
  /** The address of a picture. */
  readonly wallpaper = new Watched<string | undefined>(undefined);
  readonly #api: DeskApi;
  /** The hash of each as it was last seen, `null` where there was none: the same isn't read again. */
  readonly #seen = new Map<string, string | null>();
  /** Those of which a good one, or none, was seen. */
  readonly #worn = new Set<string>();
  readonly #told = new Map<string, PostedNotice>();

  constructor(api: DeskApi) {
    this.#api = api;
    this.theme.watch(() => keepTheme(this.theme.get()));
    let wanted = 0;
    const look = async () => {
      const round = ++wanted;
      try {
        const lines = await api.files.list(FOLDER);
        if (round !== wanted) return; // a newer look is under way
        const take = <Value>(kind: Kind<Value>) => {
          const entry = lines.find(({ key }) => key === kind.key)?.entry;
          return this.#take(kind, entry?.kind === "file" ? entry : undefined);
        };
        await Promise.all([
          take(text(SYSTEM_KEYS.theme, parseReadable, (theme) => this.theme.set(theme))),
          take(text(SYSTEM_KEYS.layout, parseLayout, (layout) => this.layout.set(layout), missingIn)),
          take(text(SYSTEM_KEYS.apps, parseRegistry, putRegistered, ({ missing }) => missing)),
          take({ key: SYSTEM_KEYS.wallpaper, most: MOST_PICTURE, put: (url) => this.#wear(url), read: pictureIn }),
        ]);
      } catch (error) {
        if (api.connection.get() === "live") api.notify({ text: sentence(error), kind: "wrong" });
      }
    };
    api.files.watch(FOLDER, () => void look());
  }

  async #take<Value>(kind: Kind<Value>, file: { readonly hash: string; readonly size: number } | undefined) {
    const { key } = kind;
    const now = file?.hash ?? null;
    if (this.#seen.get(key) === now) return;
    this.#seen.set(key, now);
    const put = (value: Value | undefined) => {
      this.#worn.add(key);
      kind.put(value);
    };
    try {
      const read = file === undefined ? undefined : await this.#read(kind, file.size);
      if (this.#seen.get(key) !== now) return; // a newer one is being read
      this.#told.get(key)?.dismiss();
      if (read === undefined) return put(undefined);
      if (read.ok) {
        put(read.value);
        return this.#tellMissing(key, kind.missing?.(read.value) ?? []);
      }
      this.#tell(key, read.why);
      if (!this.#worn.has(key)) put(await this.#lastGood(kind));
    } catch (error) {
      this.#seen.delete(key); // it is tried again with the next look
      throw error;
    }
  }

  async #read<Value>({ key, most, read }: Kind<Value>, size: number, at?: number): Promise<Recognised<Value>> {
    if (size > most) return { ok: false, why: `it is larger than ${fileSize(most)}` };
    const response = await this.#api.files.read(key, at === undefined ? {} : { at });
    return response === undefined ? { ok: false, why: "it is gone" } : read(response);
  }

  async #lastGood<Value>(kind: Kind<Value>): Promise<Value | undefined> {
    const versions = await this.#api.files.history(kind.key);
    for (const { entry, seq } of versions.slice(1, MOST_VERSIONS)) {
      if (entry?.kind !== "file") return undefined; // it had been taken away
      const read = await this.#read(kind, entry.size, seq);
      if (read.ok) return read.value;
    }
    return undefined;
  }

  #tellMissing(key: string, ids: readonly string[]): void {
    if (ids.length === 0) return;
    const names = ids.map((id) => `“${id}”`).join(", ");
    this.#tell(key, `There is no app ${names} here.`, "names what isn't there; the rest is used.");
  }

  #tell(key: string, why: string, text = "can't be used, and the last good one stays."): void {
    const notice = {
      text: `${key} ${text}`,
      detail: why,
      kind: "wrong",
      action: { label: "Open it", run: () => void this.#api.openFile(key) },
    } as const;
    this.#told.set(key, this.#api.notify(notice));
  }

  #wear(url: string | undefined): void {
    const former = this.wallpaper.get();
    this.wallpaper.set(url);
    if (former !== undefined) URL.revokeObjectURL(former);
  }
}

function putRegistered(list: Registered | undefined): void {
  putRegistry(list?.apps);
}

function missingIn({ icons = [], taskbar }: Layout): string[] {
  const named = [...icons.flatMap((icon) => ("app" in icon ? [icon.app] : [])), ...(taskbar?.pinned ?? [])];
  return [...new Set(named.filter((id) => appOf(id) === undefined))];
}

function text<Value>(
  key: string,
  parse: (text: string) => Recognised<Value>,
  put: (value: Value | undefined) => void,
  missing: (value: Value) => readonly string[] = () => [],
): Kind<Value> {
  return { key, most: MOST_TEXT, put, missing, read: async (response) => parse(await response.text()) };
}
