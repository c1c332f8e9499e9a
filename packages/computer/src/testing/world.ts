import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Draft, pathFromKey } from "@choiros/contract";
import { expect } from "vitest";
import type { Computer, Deed } from "../computer-port.ts";
import { openComputer } from "../open-computer.ts";
import type { Outcome } from "../outcome.ts";
import { type GroundName, openOn } from "./command-stage.ts";
import { diskHands, ShellHands } from "./hands.ts";
import { Outsider } from "./outsider.ts";
import type { Step } from "./steps.ts";
import { contentOf, isAbove, taken } from "./taken.ts";
import { differing, TreeModel } from "./tree-model.ts";
import { computerTree, dirText, diskTree, fileText, type Tree } from "./trees.ts";

/** A computer on a real folder, beside a model that is told the same. */
export class World {
  readonly model = new TreeModel();
  readonly root = mkdtempSync(join(tmpdir(), "choir-model-"));
  readonly #outsider = new Outsider(diskHands(this.root), this.model);
  /** For the sandbox. */
  readonly #runDir = mkdtempSync(join(tmpdir(), "choir-run-"));
  /** The tree after each event, as it was when that was the last one. */
  readonly #moments: Tree[] = [{}];
  readonly #added: string;
  readonly #ground: GroundName;
  #computer: Computer | undefined;
  /** Whether others did something that may not be in the log yet. */
  #unseen = false;

  /** `added` is a folder to be added; see `makeAdded`. */
  constructor(added: string, ground: GroundName) {
    this.#added = added;
    this.#ground = ground;
  }

  get computer(): Computer {
    if (this.#computer === undefined) throw new Error("the computer is not open");
    return this.#computer;
  }

  async open(): Promise<void> {
    const opened = await openComputer({
      root: this.root,
      userId: "ada",
      create: true,
      sandbox: () => openOn(this.#ground, this.root, this.#runDir),
    });
    if (!opened.ok) throw new Error(opened.message);
    this.#computer = opened.computer;
    this.#unseen = false;
    await this.#remember();
  }

  async end(): Promise<void> {
    await this.#computer?.close();
    for (const folder of [this.root, this.#runDir]) rmSync(folder, { recursive: true, force: true });
  }

  /** Does it to both, and holds them against each other. */
  async perform(step: Step): Promise<void> {
    await this.#perform(step);
    await this.#remember();
    expect(diskTree(this.root)).toEqual(this.model.tree);
    expect(this.computer.blocked()).toEqual([]);
    if (!this.#unseen) expect(this.#moments.at(-1)).toEqual(this.model.tree);
  }

  /** Everything that has to hold at the end, whatever happened. */
  async conclude(): Promise<void> {
    await this.perform(["capture"]);
    expect(await this.computer.verify()).toMatchObject({ ok: true, folder: { problems: [] }, state: { problems: [] } });
    const hash = await this.computer.stateHash();
    await this.perform(["rebuild"]);
    expect(await this.computer.stateHash()).toBe(hash);
    await this.perform(["restart", "both"]);
    expect(await this.computer.stateHash()).toBe(hash);
    for (const [seq, tree] of this.#moments.entries()) expect(await computerTree(this.computer, seq)).toEqual(tree);
  }

  async #perform(step: Step): Promise<void> {
    switch (step[0]) {
      case "write":
        return this.#write(...step);
      case "remove":
        return this.#act(this.model.has(step[1]), this.computer.remove(step[1]), () => this.model.remove(step[1]));
      case "arrange":
        return this.#arrange(step[1]);
      case "add":
        return this.#add(step[1]);
      case "command":
        return this.#command(step[1], step[2]);
      case "capture":
        await this.computer.capture();
        this.#unseen = false;
        return;
      case "undo":
      case "undo call":
        return this.#undo(step[0], this.#seq(step[1]));
      case "undo twice":
        return this.#undoTwice(this.#seq(step[1]));
      case "rewind":
        return this.#rewind(this.#seq(step[1]));
      case "restore":
        return this.#restore(step[1], this.#seq(step[2]));
      case "restart":
        return this.#restart(step[1]);
      case "cut off":
        return this.#cutOff(step[1], step[2]);
      case "cut off, meanwhile":
        return this.#cutOffMeanwhile(step[1], step[2]);
      case "rebuild":
        await this.computer.rebuild();
        return;
      default:
        if (this.#outsider.perform(step)) this.#unseen = true;
    }
  }

  #seq(back: number): number {
    return Math.max(1, this.#moments.length - 1 - back);
  }

  async #remember(): Promise<void> {
    const { seq: head } = await this.computer.log.head();
    for (let seq = this.#moments.length; seq <= head; seq++) this.#moments.push(await computerTree(this.computer, seq));
  }

  #moment(seq: number): Tree {
    const tree = this.#moments[seq];
    if (tree === undefined) throw new Error(`nobody remembers moment ${seq}`);
    return tree;
  }

  /** An action happens, or it is refused and nothing does. */
  async #act(expected: boolean, outcome: Promise<Outcome>, apply: () => void): Promise<void> {
    const result = await outcome;
    expect({ ok: result.ok, why: result.ok ? "" : result.message }).toMatchObject({ ok: expected });
    if (result.ok) apply();
  }

  #write(_: "write", key: string, text: string, mode: number): Promise<void> {
    const possible = this.model.hasRoom(key) && !this.model.isDir(key);
    const writing = this.computer.write(key, Buffer.from(text), { mode });
    return this.#act(possible, writing, () => this.model.set(key, fileText(text, mode)));
  }

  #arrange(deeds: readonly Deed[]): Promise<void> {
    const wanted = new TreeModel();
    wanted.tree = this.model.tree;
    const possible = deeds.every((deed) => wanted.arrange(deed)) && differing(wanted.tree, this.model.tree).length > 0;
    return this.#act(possible, this.computer.arrange(deeds), () => this.model.become(wanted));
  }

  #add(to: string): Promise<void> {
    const possible = !this.model.has(to) && this.model.hasRoom(to);
    return this.#act(possible, this.computer.add(this.#added, to), () => {
      this.model.set(to, dirText());
      this.model.set(`${to}/run`, fileText("#!/bin/sh\n", 0o755));
      this.model.set(`${to}/empty`, dirText());
    });
  }

  /** What others did before is taken up first: it is theirs. */
  async #command(does: readonly Step[], end: Extract<Step, readonly ["command", ...unknown[]]>[2]): Promise<void> {
    await this.perform(["capture"]);
    const before = this.model.tree;
    const shell = new ShellHands();
    const outsider = new Outsider(shell, this.model);
    for (const step of does) outsider.perform(step);
    const stop = new AbortController();
    const last = { exits: "true", fails: "exit 3", "is stopped": "echo ready; sleep 60" }[end];
    const argv = ["/bin/sh", "-c", ["set -e", ...shell.lines, last].join("\n")];
    const outcome = await this.computer.exec(
      { argv, cwd: "." },
      { signal: stop.signal, onOutput: () => stop.abort() }, // a word on stderr stops it too, and is told below
    );
    const exit = { exits: 0, fails: 3, "is stopped": null }[end];
    expect(outcome).toMatchObject({ ok: true, exit, notes: exit === null ? expect.anything() : [] });
    if (end === "is stopped") this.model.tree = before;
  }

  async #undo(what: "undo" | "undo call", seq: number): Promise<void> {
    const { tree: before } = this.model;
    const head = this.#moments.length - 1;
    const span = what === "undo" ? { target: { seq }, first: seq, last: seq } : await this.#callAt(seq);
    const outcome = await this.computer.undo(span.target);
    await this.#remember();
    if (!outcome.ok) {
      expect(diskTree(this.root)).toEqual(before); // a conflict changes nothing
      if (!this.#unseen) expect(this.#moments.length - 1).toBe(head);
      return;
    }
    const [then, left] = [this.#moment(span.first - 1), this.#moment(span.last)];
    const touched = differing(then, left);
    const after = diskTree(this.root);
    expect(differing(before, after).filter((key) => !touched.some((one) => one === key || isAbove(key, one)))).toEqual(
      [],
    );
    const expected = taken(before, then, left, touched);
    if (expected !== undefined) expect(after).toEqual(expected);
    this.model.tree = after;
  }

  /** The call of an event, and the events of it that changed something: what others did has none. */
  async #callAt(seq: number) {
    const [event] = await Array.fromAsync(this.computer.log.read({ from: seq, to: seq }));
    const call = event?.cause?.call ?? "nobody";
    const all = await Array.fromAsync(this.computer.log.read({ cause: { call } }));
    const changing = all.filter(({ payload }) => "changes" in payload || "list" in payload).map((one) => one.seq);
    return { target: { call }, first: changing[0] ?? seq, last: changing.at(-1) ?? seq };
  }

  async #undoTwice(seq: number): Promise<void> {
    await this.perform(["capture"]);
    const before = this.model.tree;
    await this.#undo("undo", seq);
    if ((await this.#headType()) !== "undo" || differing(before, this.model.tree).length === 0) return;
    const again = await this.computer.undo({ seq: this.#moments.length - 1 });
    expect(again).toMatchObject({ ok: true });
    this.model.tree = before;
  }

  async #headType(): Promise<string | undefined> {
    const { seq } = await this.computer.log.head();
    for await (const { type } of this.computer.log.read({ from: seq })) return type;
    return undefined;
  }

  async #rewind(seq: number): Promise<void> {
    const then = this.#moment(seq);
    const outcome = await this.computer.undo({ since: seq });
    this.#unseen = false; // all of the folder was looked at
    expect(outcome.ok).toBe(differing(then, this.model.tree).length > 0);
    this.model.tree = then;
  }

  async #restore(key: string, seq: number): Promise<void> {
    const then = this.#moment(seq);
    const wanted = new TreeModel();
    wanted.tree = this.model.tree;
    if (then[key] !== undefined && this.model.hasRoom(key)) wanted.restore(key, then);
    const expected = differing(wanted.tree, this.model.tree).length > 0;
    await this.#act(expected, this.computer.restore(key, seq), () => this.model.become(wanted));
  }

  /** Without its caches it can't tell what others changed meanwhile from what it left there itself; so not then. */
  async #restart(lost: Extract<Step, readonly ["restart", string]>[1]): Promise<void> {
    if (this.#unseen && lost !== "nothing" && lost !== "state") return this.#restart("nothing");
    const seen = join(this.root, ".choir", "seen.sqlite");
    const state = join(this.root, ".choir", "state.sqlite");
    const kept = existsSync(`${seen}.kept`);
    await this.computer.close();
    if (lost === "seen" || lost === "both") rmSync(seen);
    if (lost === "state" || lost === "both") rmSync(state);
    if (lost === "latest seen" && kept) copyFileSync(`${seen}.kept`, seen);
    else if (existsSync(seen)) copyFileSync(seen, `${seen}.kept`);
    await this.open();
  }

  async #cutOff(key: string, text: string | null): Promise<void> {
    if (!(await this.#appended(key, text))) return;
    if (text === null) this.model.remove(key);
    else this.model.set(key, fileText(text));
    await this.computer.close();
    await this.open();
  }

  /** An event that nobody lands. */
  async #appended(key: string, text: string | null): Promise<boolean> {
    await this.perform(["capture"]);
    const possible = text === null ? this.model.isFile(key) : this.model.hasParent(key) && !this.model.isDir(key);
    if (!possible) return false;
    const before = (await this.computer.read(key))?.entry ?? null;
    const content = text === null ? null : await this.computer.contents.put(Buffer.from(text));
    const after = content && { ...content, kind: "file" as const, mode: 0o644 };
    const changes = [{ path: pathFromKey(key), before, after }];
    const draft: Draft = { source: "agent", type: text === null ? "file.delete" : "file.write", payload: { changes } };
    expect(await this.computer.log.append(draft)).toMatchObject({ ok: true });
    return true;
  }

  /** Where both did something, what comes of it is a matter of the rules; that nothing is lost isn't. */
  async #cutOffMeanwhile(key: string, others: readonly Step[]): Promise<void> {
    const ours = `ours, after ${this.#moments.length} events\n`;
    if (!(await this.#appended(key, ours))) return;
    const before = this.model.tree;
    await this.computer.close();
    for (const step of others) this.#outsider.perform(step);
    const theirs = Object.entries(this.model.tree)
      .filter(([at, text]) => contentOf(text) !== contentOf(before[at]))
      .flatMap(([, text]) => contentOf(text) ?? []);
    await this.open();
    this.model.tree = diskTree(this.root);
    const left = new Set(Object.values(this.model.tree).map(contentOf));
    expect([...theirs, contentOf(fileText(ours))].filter((text) => !left.has(text))).toEqual([]);
  }
}
