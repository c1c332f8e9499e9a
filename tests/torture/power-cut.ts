import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";

/**
 * What would be gone if the power went now, told from the trace of faults.c: a name lasts once its folder was synced
 * after it was made, bytes last once their file was synced after they were written. Nothing less is promised by POSIX.
 */
export class PowerCut {
  readonly path: string;
  readonly #fd: number;
  readonly #names = new Set<string>();
  readonly #bytes = new Set<string>();
  #read = 0;

  constructor(path: string) {
    this.path = path;
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT);
  }

  /** Forgets what was, and begins with an empty trace. */
  reset(): void {
    ftruncateSync(this.#fd, 0);
    this.#read = 0;
    this.#names.clear();
    this.#bytes.clear();
  }

  losesBytes(path: string): boolean {
    this.#catchUp();
    return this.#bytes.has(path);
  }

  /** The name on the way to a file, or its own, that would be gone. */
  losesName(path: string): string | undefined {
    this.#catchUp();
    for (let name = path; name !== dirname(name); name = dirname(name)) if (this.#names.has(name)) return name;
    return undefined;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #catchUp(): void {
    const bytes = Buffer.alloc(fstatSync(this.#fd).size - this.#read);
    readSync(this.#fd, bytes, 0, bytes.length, this.#read);
    const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1); // a thread may be in the middle of a line
    this.#read += whole.length;
    for (const line of whole.toString("utf8").split("\n")) this.#apply(line.split("\t"));
  }

  #apply([what, path = "", to = ""]: readonly string[]): void {
    if (what === "make") this.#names.add(path);
    if (what === "write") this.#bytes.add(path);
    if (what === "remove") this.#forget(path);
    if (what === "sync") this.#sync(path);
    if (what !== "move") return;
    const written = this.#bytes.has(path);
    this.#forget(path);
    this.#names.add(to);
    if (written) this.#bytes.add(to);
  }

  #forget(path: string): void {
    this.#names.delete(path);
    this.#bytes.delete(path);
  }

  #sync(path: string): void {
    this.#bytes.delete(path);
    for (const name of this.#names) if (dirname(name) === path) this.#names.delete(name);
  }
}
