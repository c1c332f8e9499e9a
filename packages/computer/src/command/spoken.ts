/** So much of the end of what a command wrote is held while it runs. */
const MOST_BYTES = 256 * 1024;

/** What a command that runs has written: the end of it, for whoever comes later, and each piece as it comes. */
export class Spoken {
  #pieces: Uint8Array[] = [];
  /** How many pieces came before those that are held. */
  #gone = 0;
  #bytes = 0;
  #over = false;
  #news = Promise.withResolvers<void>();

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    while (this.#bytes > MOST_BYTES && this.#pieces.length > 1) {
      this.#bytes -= this.#pieces.shift()?.length ?? 0;
      this.#gone++;
    }
    this.#tell();
  }

  end(): void {
    this.#over = true;
    this.#tell();
  }

  /** Until the command is over. Holds up nobody: a reader that is slower than the command misses what isn't held any more. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    for (let next = 0; ; ) {
      next = Math.max(next, this.#gone);
      const piece = this.#pieces[next - this.#gone];
      if (piece !== undefined) {
        next++;
        yield piece;
      } else if (this.#over) return;
      else await this.#news.promise;
    }
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }
}
