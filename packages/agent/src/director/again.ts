import type { Answered } from "../loop/converse.ts";
import type { Halt } from "../loop/halt.ts";

/** What a model called can't be done as it was called: it is told why. */
export interface Unfit extends Answered {
  readonly unfit: true;
}

/** How often an answer is asked for again that neither says nor calls anything. */
const MAX_SILENT = 2;
/** How often, one after the other, a model is told why what it called can't be done. */
const MAX_UNFIT = 5;
const SILENT = "You said nothing, and called no tool. Go on with what the person wants, or end it with answer.";
const HOW_ON = "Resume it to ask again, or choose another model first.";

/** Asks the Director's model again where nothing came of what it said, but not without end: then its ask halts. */
export class Again {
  readonly #model: string;
  #silent = 0;
  #unfit = 0;

  constructor(model: string) {
    this.#model = model;
  }

  silence(): { readonly say: string } | { readonly end: Halt } {
    this.#silent += 1;
    if (this.#silent <= MAX_SILENT) return { say: SILENT };
    return { end: this.#halt(`answered with nothing, ${this.#silent} times.`) };
  }

  async within<Outcome extends object>(doing: Promise<Outcome | Unfit>): Promise<Outcome | Unfit | { end: Halt }> {
    const outcome = await doing;
    if (!("unfit" in outcome)) {
      this.#unfit = 0;
      return outcome;
    }
    this.#unfit += 1;
    if (this.#unfit <= MAX_UNFIT) return outcome;
    const why = outcome.text.slice(0, 500).replace(/\.$/, "");
    return { end: this.#halt(`called what can't be done, ${this.#unfit} times; the last time: ${why}.`) };
  }

  #halt(what: string): Halt {
    return { halt: "failed", scope: "ask", detail: `${this.#model} ${what} ${HOW_ON}` };
  }
}
