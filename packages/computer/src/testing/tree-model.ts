import { isBelow, parentKey } from "@choiros/contract";
import type { Deed } from "../computer-port.ts";
import { dirText, fileText, sorted, type Tree } from "./trees.ts";

/** A tree as anybody would think of it, without a log or a disk: what a computer's is held against. */
export class TreeModel {
  #tree = new Map<string, string>();

  get tree(): Tree {
    return sorted(Object.fromEntries(this.#tree));
  }

  set tree(tree: Tree) {
    this.#tree = new Map(Object.entries(tree));
  }

  become(other: TreeModel): void {
    this.tree = other.tree;
  }

  has(key: string): boolean {
    return this.#tree.has(key);
  }

  isDir(key: string): boolean {
    return isArea(key) || this.#tree.get(key)?.startsWith("dir ") === true;
  }

  isFile(key: string): boolean {
    return this.#tree.get(key)?.startsWith("file ") === true;
  }

  text(key: string): string | undefined {
    return this.#tree.get(key);
  }

  /** Whether something could be made there: no file in the way of its directories. */
  hasRoom(key: string): boolean {
    for (let up = parentKey(key); up !== undefined; up = parentKey(up))
      if (this.has(up) && !this.isDir(up)) return false;
    return true;
  }

  hasParent(key: string): boolean {
    return this.isDir(parentKey(key) ?? "");
  }

  isEmpty(key: string): boolean {
    return !this.#tree.keys().some((other) => isBelow(other, key));
  }

  set(key: string, text: string): void {
    this.makeParents(key);
    this.#tree.set(key, text);
  }

  /** With everything in it. */
  remove(key: string): void {
    for (const other of [...this.#tree.keys()]) if (other === key || isBelow(other, key)) this.#tree.delete(other);
  }

  /** Onto whatever stands there, as a rename does. */
  move(from: string, to: string): void {
    const moved = [...this.#tree].filter(([key]) => key === from || isBelow(key, from));
    this.remove(from);
    this.remove(to);
    this.makeParents(to);
    for (const [key, text] of moved) this.#tree.set(`${to}${key.slice(from.length)}`, text);
  }

  /** Whether it could be done; then it is. */
  arrange(deed: Deed): boolean {
    if ("remove" in deed) {
      const had = this.has(deed.remove.key);
      this.remove(deed.remove.key);
      return had;
    }
    if ("folder" in deed || "file" in deed) {
      const [key, text] = "folder" in deed ? [deed.folder.key, dirText()] : [deed.file.key, fileText("")];
      if (this.has(key) || !this.hasRoom(key)) return false;
      this.set(key, text);
      return true;
    }
    const { from, to } = "move" in deed ? deed.move : deed.copy;
    if (!this.has(from) || this.has(to) || !this.hasRoom(to) || isBelow(to, from)) return false;
    const before = [...this.#tree];
    this.move(from, to);
    if ("copy" in deed) for (const [key, text] of before) this.#tree.set(key, text);
    return true;
  }

  /** What stood below and at a key in another tree, and nothing else there; directories above come back as they were. */
  restore(key: string, then: Tree): void {
    this.remove(key);
    for (let up = parentKey(key); up !== undefined && !isArea(up); up = parentKey(up)) {
      if (!this.has(up)) this.#tree.set(up, then[up] ?? dirText());
    }
    for (const [other, text] of Object.entries(then))
      if (other === key || isBelow(other, key)) this.#tree.set(other, text);
  }

  makeParents(key: string): void {
    for (let up = parentKey(key); up !== undefined && !isArea(up); up = parentKey(up)) {
      if (!this.has(up)) this.#tree.set(up, dirText());
    }
  }
}

function isArea(key: string): boolean {
  return !key.includes("/");
}

/** The keys at which two trees differ. */
export function differing(a: Tree, b: Tree): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => a[key] !== b[key]).sort();
}

/** Whether everything stands in a directory. */
export function isTree(tree: Tree): boolean {
  return Object.keys(tree).every((key) => {
    const parent = parentKey(key) ?? "";
    return isArea(parent) || tree[parent]?.startsWith("dir ") === true;
  });
}
