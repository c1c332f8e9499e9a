import { cpSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Computer, Outcome } from "@choiros/computer";
import { LogError } from "@choiros/log";
import type { FaultControl, FaultCount } from "../faults.ts";
import { hold } from "../promise.ts";
import { type FaultAct, open } from "./fault-acts.ts";
import { COMPUTER_FAULTS, type ComputerFault } from "./fault-kinds.ts";
import { checkFolder, checkNothingLeft, difference, treeOf, walkFolder } from "./folder-walk.ts";

export interface TrialPlace {
  readonly faults: FaultControl;
  /** A closed computer, to be copied. */
  readonly original: string;
  readonly source: string;
  readonly root: string;
}

export interface TrialResult extends FaultCount {
  readonly act: string;
  readonly kind: ComputerFault;
  readonly at: number;
  readonly acknowledged: boolean;
  /** How many paths the folder could not have yet. */
  readonly blocked: number;
}

type Tree = ReadonlyMap<string, string>;

/** How it is before, and after, where nothing fails. */
export interface Course {
  readonly before: Tree;
  readonly after: Tree;
}

const ID = "the-act";
const PATIENCE_MS = 15_000;

/** One action on one computer, with one fault; then it is held against its promises. */
export async function tryAct(
  place: TrialPlace,
  act: FaultAct,
  kind: ComputerFault,
  at: number,
  course: Course | undefined,
): Promise<{ result: TrialResult; course: Course }> {
  const trial = new Trial(place, act, kind);
  const done = await trial.go(at, course);
  rmSync(place.root, { recursive: true }); // where it failed, it is left to be looked at
  return done;
}

class Trial {
  readonly #place: TrialPlace;
  readonly #act: FaultAct;
  readonly #kind: ComputerFault;
  readonly #troubles: string[] = [];

  constructor(place: TrialPlace, act: FaultAct, kind: ComputerFault) {
    this.#place = place;
    this.#act = act;
    this.#kind = kind;
  }

  async go(at: number, course: Course | undefined): Promise<{ result: TrialResult; course: Course }> {
    const { faults, original, root } = this.#place;
    cpSync(original, root, { recursive: true, verbatimSymlinks: true });
    const computer = await open(root, (trouble) => this.#troubles.push(trouble));
    this.#act.before?.(root);
    const before = walkFolder(root);
    faults.arm({ ...COMPUTER_FAULTS[this.#kind], at });
    const outcome = await this.#attempt(computer);
    faults.pause();
    if (course !== undefined) this.#checkMeanwhile(outcome, course);
    faults.disarm();
    const count = faults.count();
    hold(
      this.#troubles.length === 0 || count.hits > 0,
      () => `there was trouble without a fault: ${this.#troubles[0]}`,
    );
    await this.#goOn(computer, outcome);
    const after = await this.#check(computer, course);
    await this.#reopen(computer);
    const blocked = outcome?.ok === true ? outcome.blocked.length : 0;
    const result = {
      ...count,
      act: this.#act.title,
      kind: this.#kind,
      at,
      acknowledged: outcome?.ok === true,
      blocked,
    };
    return { result, course: { before, after } };
  }

  async #attempt(computer: Computer): Promise<Outcome | undefined> {
    try {
      return await this.#act.run(computer, ID, this.#place.source);
    } catch (error) {
      hold(this.#place.faults.count().hits > 0, () => `it failed without a fault: ${error}`);
      const own = error instanceof LogError || (error instanceof Error && error.name === "FolderError");
      hold(own, () => `it failed with an error that is not its own: ${error instanceof Error ? error.stack : error}`);
      return undefined;
    }
  }

  /** Each path is as it was or as it shall be; which of them is not yet as it shall be is said. */
  #checkMeanwhile(outcome: Outcome | undefined, { before, after }: Course): void {
    const disk = walkFolder(this.#place.root);
    const blocked = outcome?.ok === true ? outcome.blocked.map(({ key }) => key) : [];
    for (const key of new Set([...before.keys(), ...after.keys(), ...disk.keys()])) {
      if (/\.choir-landing-[0-9a-f]{32}$/.test(key)) continue; // removed by the next look
      const [is, was, shall] = [disk.get(key), before.get(key), after.get(key)];
      if (isKeptBeside(key, is, before)) continue;
      const among = is === was || is === shall || (is?.startsWith("dir ") && (was ?? shall)?.startsWith("dir "));
      hold(among === true, () => `${key} is ${is} meanwhile: it was ${was}, and shall be ${shall}`);
      if (outcome?.ok !== true || is === shall) continue;
      hold(blocked.includes(key), () => `${key} is not as it shall be, and that is not said (blocked: ${blocked})`);
    }
  }

  /** With the disk back the same computer, not opened anew, takes what failed, and more; and the folder follows by itself. */
  async #goOn(computer: Computer, outcome: Outcome | undefined): Promise<void> {
    if (outcome?.ok !== true) {
      const again = await this.#act.run(computer, ID, this.#place.source);
      const there = await Array.fromAsync(computer.log.read());
      const told = again === undefined || again.ok || there.some(({ id }) => id === ID);
      hold(told, () => `it is refused though the fault is gone: ${again?.ok === false ? again.message : ""}`);
    }
    const more = await computer.write("workspace/more.txt", Buffer.from("more\n"), { id: "more" });
    hold(more.ok, () => `nothing can be written though the fault is gone: ${more.ok ? "" : more.message}`);
    for (const end = performance.now() + PATIENCE_MS; computer.blocked().length > 0; await delay(10)) {
      const [first] = computer.blocked();
      hold(
        performance.now() < end,
        () => `${first?.key} stays blocked though the fault is gone: ${first?.why}; ${this.#troubles.at(-1) ?? ""}`,
      );
    }
    await computer.capture();
  }

  async #check(computer: Computer, course: Course | undefined): Promise<Tree> {
    const ids = (await Array.fromAsync(computer.log.read())).map(({ id }) => id);
    const count = ids.filter((id) => id === ID).length;
    hold(count === (this.#act.title === "capture" ? 0 : 1), () => `the action is in the log ${count} times`);
    await checkFolder(computer);
    const report = await computer.verify();
    hold(report.ok, () => `verify finds: ${[...report.state.problems, ...report.folder.problems][0]}`);
    const after = new Map(await treeOf(computer));
    hold(after.delete("workspace/more.txt"), "what was written afterwards is not there");
    for (const [key, line] of after) if (course && isKeptBeside(key, line, course.before)) after.delete(key);
    const wrong = course === undefined ? undefined : difference(after, course.after);
    hold(wrong === undefined, () => `it came out otherwise than without a fault: ${wrong}`);
    return after;
  }

  async #reopen(computer: Computer): Promise<void> {
    const hash = await computer.stateHash();
    await computer.close();
    const again = await open(this.#place.root);
    hold((await again.stateHash()) === hash, "opened again, it has another state");
    await checkFolder(again);
    await again.close();
    checkNothingLeft(this.#place.root);
  }
}

/** What somebody else had there, and could not be read in time to be taken up first: both are kept. */
function isKeptBeside(key: string, line: string | undefined, before: Tree): boolean {
  const plain = key.replace(/ \(outside(?: \d+)?\)/, "");
  return plain !== key && line !== undefined && before.get(plain) === line;
}
