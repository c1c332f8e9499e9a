import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Computer } from "@choiros/computer";
import type { Id } from "@choiros/contract";
import type { AnswerPart } from "../models/model.ts";
import { StoredResponse } from "./stored-call.ts";

/** So often what came is written, at most. */
const EVERY_MS = 250;

/**
 * What came of a model's answer so far, in a file beside the log: it outlives the process, so that nothing has to be paid
 * for twice. It is no truth of its own: once the answer is in the log it is gone, and without it the answer is asked for again.
 */
export class AnswerScratch {
  readonly #dir: string;
  readonly #file: string;
  #came: () => readonly AnswerPart[] = () => [];
  #more = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #written = Number.NEGATIVE_INFINITY;

  constructor({ root }: Pick<Computer, "root">, call: Id) {
    this.#dir = join(root, ".choir", "answers");
    this.#file = join(this.#dir, `${call}.json`);
  }

  note(came: () => readonly AnswerPart[]): void {
    this.#came = came;
    this.#more = true;
    this.#timer ??= this.#soon();
  }

  /** Nothing more is written. */
  async rest(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    clearTimeout(this.#timer); // it may have wanted to go on
  }

  /** What the file has, and when it was written; `undefined` where there is none, or none that is whole. */
  async read(): Promise<{ readonly response: StoredResponse; readonly at: number } | undefined> {
    try {
      const text = await readFile(this.#file, "utf8");
      const { mtimeMs } = await stat(this.#file);
      return { response: StoredResponse.parse(JSON.parse(text)), at: mtimeMs };
    } catch {
      return undefined; // nothing had come
    }
  }

  async remove(): Promise<void> {
    for (const file of [this.#file, `${this.#file}.new`]) await rm(file, { force: true });
  }

  #soon(): NodeJS.Timeout {
    const wait = Math.max(0, this.#written + EVERY_MS - performance.now());
    return setTimeout(() => {
      this.#writing = this.#write().catch(() => {}); // a full disk, say: the answer itself is kept, or told as failed
    }, wait);
  }

  async #write(): Promise<void> {
    try {
      this.#more = false;
      const response: StoredResponse = { parts: [...this.#came()], stop: "cut" };
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      await writeFile(`${this.#file}.new`, JSON.stringify(response), { mode: 0o600 });
      await rename(`${this.#file}.new`, this.#file);
    } finally {
      this.#written = performance.now();
      this.#timer = this.#more ? this.#soon() : undefined; // some may have come while it was written
    }
  }
}
