const PAUSE_MS = 900;

/** Letters that are typed one after the other are the beginning of a name; after a pause it begins anew. */
export class TypeAhead {
  #typed = "";
  #last = Number.NEGATIVE_INFINITY;

  get isTyping(): boolean {
    return performance.now() - this.#last < PAUSE_MS;
  }

  /** The place of the name that is meant, from `from` on and around. */
  type(letter: string, names: readonly string[], from: number, now = performance.now()): number | undefined {
    this.#typed = now - this.#last < PAUSE_MS ? this.#typed + letter : letter;
    this.#last = now;
    return meant(this.#typed, names, from);
  }
}

/** One letter, also again and again, leads from name to name; several stay as long as they fit. */
function meant(typed: string, names: readonly string[], from: number): number | undefined {
  const again = new Set(typed).size === 1;
  const start = folded(again ? typed.slice(0, 1) : typed);
  for (let i = 0; i < names.length; i++) {
    const at = (Math.max(from, again ? -1 : 0) + i + (again ? 1 : 0)) % names.length;
    if (folded(names[at] ?? "").startsWith(start)) return at;
  }
  return undefined;
}

/** As people type it: without capitals and accents. */
function folded(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase();
}
