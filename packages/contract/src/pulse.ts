/** What is done with one line, from when it is opened. */
export interface Line {
  /** Says something that is answered, where it can already. */
  beat(): void;
  /** A beat isn't answered as soon as it should be; and then that it is, or something else came. */
  quiet(isQuiet: boolean): void;
  /** Nobody is at the other end: another line is better. */
  dead(): void;
}

const BEAT_MS = 5000;
const QUIET_MS = 1000;
/** So long an answer may take before somebody asks whether there will be one. */
const ANSWER_MS = 500;
/** So many beats in a row nothing was heard. Counted, and not measured: a page that was held up hears first what came meanwhile. */
const BEATS = 2;
const MOST_BEATS = 12;

/**
 * Tells a line that is dead from one that has nothing to say: a connection may be gone, or the server held up, without
 * anybody closing it. Whatever is heard is life. After a line that was given up the next one is given twice the time, until
 * one answers: what is so long that it comes too late over a slow line would never come.
 */
export class Pulse {
  #line: Line | undefined;
  #beatTimer: ReturnType<typeof setTimeout> | undefined;
  #quietTimer: ReturnType<typeof setTimeout> | undefined;
  #answerTimer: ReturnType<typeof setTimeout> | undefined;
  #isQuiet = false;
  /** Whether nothing was heard since this line was opened, or since the last beat. */
  #waits = true;
  #missed = 0;
  #beats = 0;
  #patience = BEATS;

  /** A line is opened, which is something to be answered. */
  begin(line: Line): void {
    this.end();
    this.#line = line;
    this.#waits = true;
    this.#missed = 0;
    this.#beats = 0;
    this.#await();
  }

  /** Something was said that is to be answered. */
  said(): void {
    if (this.#waits || this.#answerTimer !== undefined) return;
    this.#answerTimer = setTimeout(() => this.#look(), ANSWER_MS);
  }

  heard(): void {
    this.#waits = false;
    this.#missed = 0;
    this.#leave();
    this.#becomeQuiet(false);
  }

  end(): void {
    clearTimeout(this.#beatTimer);
    this.#leave();
    this.#becomeQuiet(false);
    this.#line = undefined;
  }

  #leave(): void {
    clearTimeout(this.#quietTimer);
    clearTimeout(this.#answerTimer);
    this.#answerTimer = undefined;
  }

  #await(): void {
    this.#beatTimer = setTimeout(() => this.#look(), BEAT_MS);
  }

  #look(): void {
    const line = this.#line;
    if (line === undefined) return;
    clearTimeout(this.#beatTimer);
    clearTimeout(this.#answerTimer);
    this.#answerTimer = undefined;
    if (!this.#waits && this.#beats > 0) this.#patience = BEATS;
    if (this.#waits && ++this.#missed >= this.#patience) {
      this.#patience = Math.min(MOST_BEATS, this.#patience * 2);
      this.end();
      line.dead();
      return;
    }
    this.#waits = true;
    this.#beats += 1;
    if (this.#missed === 0) this.#quietTimer = setTimeout(() => this.#becomeQuiet(true), QUIET_MS);
    line.beat();
    this.#await();
  }

  #becomeQuiet(isQuiet: boolean): void {
    if (isQuiet === this.#isQuiet) return;
    this.#isQuiet = isQuiet;
    this.#line?.quiet(isQuiet);
  }
}
