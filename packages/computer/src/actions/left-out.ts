/** How many are told by name. */
const MOST = 20;

/** What of a folder wasn't brought in, and why, for whoever asked for all of it. */
export class LeftOut {
  readonly #root: string;
  readonly #ignored: string[] = [];
  readonly #tracked: string[] = [];
  readonly #skipped: string[] = [];

  /** The folder, for all else is named from it on. */
  constructor(root: string) {
    this.#root = root;
  }

  /** A path, with a slash after a directory; and what git has of it nevertheless. */
  ignored(path: string, tracked: readonly string[]): void {
    this.#ignored.push(this.#named(path));
    for (const one of tracked) this.#tracked.push(this.#named(one));
  }

  skipped(path: Buffer, why: string): void {
    this.#skipped.push(`${path.toString("utf8")} was left out: ${why}`);
  }

  get notes(): string[] {
    const more = this.#skipped.length - MOST;
    return [
      ...(this.#ignored.length > 0 ? [`Ignored, and left out: ${some(this.#ignored)}. ${HOW_TO_BRING_IN}`] : []),
      ...(this.#tracked.length > 0 ? [`Git tracks some of what was left out: ${some(this.#tracked)}.`] : []),
      ...this.#skipped.slice(0, MOST),
      ...(more > 0 ? [`and ${more} more were left out`] : []),
    ];
  }

  #named(path: string): string {
    return path.slice(this.#root.length + 1);
  }
}

const HOW_TO_BRING_IN =
  "Such names are ignored by default, or by .choirignore in the workspace: write a line like !dist/ there first, and add the folder then.";

function some(names: readonly string[]): string {
  const more = names.length - MOST;
  return names.slice(0, MOST).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
