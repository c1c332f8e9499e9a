import { type Layout, SYSTEM_KEYS, shownKey, type Theme } from "@choiros/contract";
import type { Registered } from "../apps/registered.ts";
import { appOf, parseRegistry, putRegistry } from "../apps/registry.ts";
import type { DeskApi } from "../desk/api.ts";
import type { PostedNotice } from "../desk/notices.ts";
import { sentence } from "../desk/problem.ts";
import type { FileLine } from "../desk/shapes.ts";
import { Watched } from "../watched.ts";
import { MOST_PICTURE } from "./change-wallpaper.ts";
import { keepTheme, keptTheme } from "./kept-theme.ts";
import { pictureIn } from "./picture.ts";
import { LAYOUT, lastGood, readVersion, SYSTEM_FOLDER, type SystemFile, THEME, textFile } from "./system-file.ts";

const APPS = textFile(SYSTEM_KEYS.apps, parseRegistry);
const WALLPAPER: SystemFile<string> = { key: SYSTEM_KEYS.wallpaper, most: MOST_PICTURE, read: pictureIn };

/** Who wants to know what one of the files says. */
interface Wearer<Value> {
  readonly file: SystemFile<Value>;
  /** `undefined`: there is no such file. */
  put(value: Value | undefined): void;
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
  /** What each was when it was last seen, `null` where there was none: the same isn't read again. */
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
        const lines = await api.files.list(SYSTEM_FOLDER);
        if (round !== wanted) return; // a newer look is under way
        const take = <Value>(wearer: Wearer<Value>) =>
          this.#take(wearer, lines.find(({ key }) => key === wearer.file.key)?.entry);
        await Promise.all([
          take({ file: THEME, put: (theme) => this.theme.set(theme) }),
          take({ file: LAYOUT, put: (layout) => this.layout.set(layout), missing: missingIn }),
          take({ file: APPS, put: putRegistered, missing: ({ missing }) => missing }),
          take({ file: WALLPAPER, put: (url) => this.#wear(url) }),
        ]);
      } catch (error) {
        if (api.connection.get() === "live") api.notify({ text: sentence(error), kind: "wrong" });
      }
    };
    api.files.watch(SYSTEM_FOLDER, () => void look());
  }

  async #take<Value>(wearer: Wearer<Value>, there: FileLine["entry"] | undefined) {
    const { file } = wearer;
    const { key } = file;
    const now = there === undefined ? null : `${there.kind} ${"hash" in there ? there.hash : ""}`;
    if (this.#seen.get(key) === now) return;
    this.#seen.set(key, now);
    const put = (value: Value | undefined) => {
      this.#worn.add(key);
      wearer.put(value);
    };
    try {
      const read = there === undefined ? undefined : await readVersion(this.#api, file, there);
      if (this.#seen.get(key) !== now) return; // a newer one is being read
      this.#told.get(key)?.dismiss();
      if (read === undefined) return put(undefined);
      if (read.ok) {
        put(read.value);
        return this.#tellMissing(key, wearer.missing?.(read.value) ?? []);
      }
      this.#tell(key, read.why);
      if (!this.#worn.has(key)) put(await lastGood(this.#api, file));
    } catch (error) {
      this.#seen.delete(key); // it is tried again with the next look
      throw error;
    }
  }

  #tellMissing(key: string, ids: readonly string[]): void {
    if (ids.length === 0) return;
    const names = ids.map((id) => `“${id}”`).join(", ");
    this.#tell(key, `There is no app ${names} here.`, "names what isn't there; the rest is used.");
  }

  #tell(key: string, why: string, text = "can't be used, and the last good one stays."): void {
    const notice = {
      text: `${shownKey(key)} ${text}`,
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
