import ignore, { type Ignore } from "ignore";
import { AREAS } from "./names.ts";

/** Where a person says what isn't to be captured, in gitignore's syntax. It comes after the defaults, so `!dist/` undoes one. */
export const IGNORE_KEY = "workspace/.choirignore";

/**
 * What a program makes again from what is captured, by the name that only such things have. Nothing that somebody may have
 * written by hand: `bin`, `out`, `tmp`, `vendor`, `logs`, `*.log` and `env` are left alone, for what is ignored can't be undone.
 */
const DEFAULTS = [
  // Packages, fetched anew from a lockfile.
  ...["node_modules/", ".venv/", "venv/", "__pypackages__/", ".pnpm-store/", ".yarn/cache/", ".yarn/unplugged/"],
  // Build output.
  ...["dist/", "build/", "target/", ".next/", ".nuxt/", ".svelte-kit/", ".output/", "*.tsbuildinfo", "*.egg-info/"],
  // Caches.
  ...["__pycache__/", "*.py[cod]", ".cache/", ".parcel-cache/", ".turbo/", ".vite/", ".gradle/", ".pytest_cache/"],
  ...[".mypy_cache/", ".ruff_cache/", ".tox/", ".nox/", ".eslintcache", ".nyc_output/", "coverage/"],
  // What editors and desktops leave while they run.
  ...[".DS_Store", "Thumbs.db", "*.swp", "*.swo", "*.swx", ".#*", "*~", ".nfs*", ".fuse_hidden*", ".goutputstream-*"],
];

/** What isn't captured, of what isn't tracked yet. */
export class Ignored {
  readonly #rules: Record<string, string[]>;
  #matchers = new Map<string, Ignore>();
  #asked = 0;

  /** As the person wrote it. */
  readonly text: string;

  constructor(choirignore: string) {
    this.text = choirignore;
    this.#rules = Object.fromEntries(
      AREAS.map((area) => [area, area === "workspace" ? choirignore.split(/\r?\n/) : []]),
    );
  }

  /** Of a path whose directories aren't ignored: whoever walks has turned back before. */
  has(key: string, isDirectory: boolean): boolean {
    const slash = key.indexOf("/");
    const area = key.slice(0, slash);
    // A rule can't name a byte that isn't text. What stands in its place matches `*` and `?`, as it would in git.
    const path = key.slice(slash + 1).replaceAll(ODD_BYTE, "\ufffd");
    return this.#matcher(area).ignores(isDirectory ? `${path}/` : path);
  }

  /** The matcher remembers each path it was asked for; so it is made anew from time to time. */
  #matcher(area: string): Ignore {
    if (++this.#asked % 20_000 === 0) this.#matchers = new Map();
    const former = this.#matchers.get(area);
    if (former !== undefined) return former;
    const made = ignore({ ignorecase: false, allowRelativePaths: true })
      .add(DEFAULTS)
      .add(this.#rules[area] ?? []);
    this.#matchers.set(area, made);
    return made;
  }
}

const ODD_BYTE = /\/\/[0-9a-f]{2}/g;
