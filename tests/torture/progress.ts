/** How far a long run has come: one line that is written over on a terminal, else a line now and then. */
export class Progress {
  static readonly #EACH_MS = process.stderr.isTTY ? 100 : 30_000;
  #last = performance.now();

  say(text: string): void {
    if (performance.now() - this.#last < Progress.#EACH_MS) return;
    this.#last = performance.now();
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  }
}
