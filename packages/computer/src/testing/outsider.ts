import { isBelow, parentKey } from "@choiros/contract";
import type { Hands } from "./hands.ts";
import type { Step } from "./steps.ts";
import type { TreeModel } from "./tree-model.ts";
import { dirText, fileText, linkText } from "./trees.ts";

/** Somebody with a hand on the folder and no word to the computer. */
export class Outsider {
  readonly #hands: Hands;
  readonly #model: TreeModel;

  constructor(hands: Hands, model: TreeModel) {
    this.#hands = hands;
    this.#model = model;
  }

  /** Whether it could be done; then the model has it too. */
  perform(step: Step): boolean {
    switch (step[0]) {
      case "outside write":
        return this.#write(step[1], step[2]);
      case "outside remove":
        return this.#remove(step[1]);
      case "outside rename":
        return this.#rename(step[1], step[2]);
      case "outside chmod":
        return this.#chmod(step[1], step[2]);
      case "outside link":
        return this.#link(step[1], step[2]);
      case "outside mkdir":
        return this.#mkdir(step[1]);
      default:
        throw new Error(`${step[0]} is not done from outside`);
    }
  }

  /** As a shell's `>` would: through no link, and not over a directory. */
  #write(key: string, text: string): boolean {
    if (!this.#model.hasParent(key) || (this.#model.has(key) && !this.#model.isFile(key))) return false;
    const mode = /^file (\d+)/.exec(this.#model.text(key) ?? "")?.[1];
    this.#hands.write(key, text);
    if (mode === undefined) this.#hands.chmod(key, 0o644);
    this.#model.set(key, fileText(text, mode === undefined ? 0o644 : Number.parseInt(mode, 8)));
    return true;
  }

  #remove(key: string): boolean {
    if (!this.#model.has(key)) return false;
    this.#hands.remove(key);
    this.#model.remove(key);
    return true;
  }

  #rename(from: string, to: string): boolean {
    const model = this.#model;
    if (!model.has(from) || !model.hasParent(to) || from === to || isBelow(to, from) || isBelow(from, to)) return false;
    if (model.has(to) && (model.isDir(from) !== model.isDir(to) || !model.isEmpty(to))) return false;
    this.#hands.rename(from, to);
    model.move(from, to);
    return true;
  }

  #chmod(key: string, mode: number): boolean {
    const text = this.#model.text(key);
    if (text === undefined || text.startsWith("link ")) return false;
    const wanted = this.#model.isDir(key) ? mode | 0o700 : mode;
    this.#hands.chmod(key, wanted);
    this.#model.set(key, text.replace(/^(\w+) \d+/, `$1 ${wanted.toString(8)}`));
    return true;
  }

  #link(key: string, target: string): boolean {
    if (!this.#model.hasParent(key) || this.#model.isDir(key)) return false;
    if (this.#model.has(key)) this.#hands.remove(key);
    this.#hands.link(key, target);
    this.#model.set(key, linkText(target));
    return true;
  }

  /** With what is above it. */
  #mkdir(key: string): boolean {
    if (this.#model.has(key) || !this.#model.hasRoom(key)) return false;
    const parent = parentKey(key);
    if (parent?.includes("/") && !this.#model.has(parent)) this.#mkdir(parent);
    this.#hands.mkdir(key);
    this.#hands.chmod(key, 0o755);
    this.#model.set(key, dirText());
    return true;
  }
}
