import type { Moment } from "../../desk/socket.ts";

export type FoldKind = "ask" | "task" | "call" | "windows";

export interface EventRow {
  readonly id: string;
  readonly depth: number;
  readonly moment: Moment;
}

/** Several events as one line: what an ask, a task or a call led to, or windows being moved about. */
export interface FoldRow {
  readonly id: string;
  readonly depth: number;
  readonly kind: FoldKind;
  /** The id of the ask, the task or the call. */
  readonly of: string;
  readonly open: boolean;
  /** All of them, the newest first. */
  readonly moments: readonly Moment[];
}

export type Row = EventRow | FoldRow;

export function isFold(row: Row): row is FoldRow {
  return "moments" in row;
}

/** What a row is about: of several events the newest. */
export function seqOf(row: Row): number {
  return (isFold(row) ? row.moments[0] : row.moment)?.event.seq ?? 0;
}

/**
 * The lines of a stretch of events, the newest first. What belongs together is one line where its newest event is; one
 * that is open is followed by what is in it, folded in turn.
 */
export function fold(moments: readonly Moment[], open: ReadonlySet<string>): Row[] {
  return rowsOf(withRuns(grouped(moments, 0, "")), 0, open);
}

/** The lines that have to be open for an event to be in sight. */
export function foldsOver(moments: readonly Moment[], seq: number): string[] {
  const way: string[] = [];
  let nodes: readonly Node[] = withRuns(grouped(moments, 0, ""));
  for (;;) {
    const over = nodes.find((node) => isGroup(node) && node.moments.some(({ event }) => event.seq === seq));
    if (over === undefined || !isGroup(over)) return way;
    way.push(over.id);
    nodes = over.inside;
  }
}

interface Group extends Omit<FoldRow, "depth" | "open"> {
  readonly inside: readonly Node[];
}
type Node = Moment | Group;

/** More than these aren't read for one line: what goes on is another one. */
const MOST = 2048;

/** From what holds the most to what holds the least. */
const LEVELS = ["ask", "task", "call"] as const;

/** By the cause of this level, where several have the same one; each where its newest event is. */
function grouped(moments: readonly Moment[], level: number, over: string): Node[] {
  const kind = LEVELS[level];
  if (kind === undefined) return [...moments];
  const nodes: Node[] = [];
  const { alone, groups } = byCause(moments, kind);
  // Between two groups of this level, what belongs to none of it is grouped by the next one: but together, for its own
  // groups may lie around ours.
  const others = grouped(alone, level + 1, over);
  let next = 0;
  const tellOthers = (until: number) => {
    for (let node = others[next]; node !== undefined && newestOf(node) > until; node = others[++next]) nodes.push(node);
  };
  for (const group of groups) {
    tellOthers(group.moments[0]?.event.seq ?? 0);
    nodes.push(groupOf({ ...group, id: `${over}${kind}:${group.of}`, kind }, level));
  }
  tellOthers(0);
  return nodes;
}

/** Those of one cause together, each group where its newest is. */
function byCause(moments: readonly Moment[], kind: (typeof LEVELS)[number]) {
  const groups: { readonly of: string; readonly moments: Moment[] }[] = [];
  const alone: Moment[] = [];
  const latest = new Map<string, Moment[]>();
  const into = kind === "ask" ? toldInto(moments) : new Map<string, string>();
  for (const moment of moments) {
    const own = causeOf(moment, kind);
    const of = own === undefined ? undefined : (into.get(own) ?? own);
    const group = of === undefined ? alone : latest.get(of);
    if (of === undefined || (group !== undefined && group.length < MOST)) {
      group?.push(moment);
      continue;
    }
    const begun = { of, moments: [moment] };
    latest.set(of, begun.moments);
    groups.push(begun);
  }
  return { alone, groups };
}

/** What was said to an ask that was worked at, or answered its question, is no ask of its own: which one it went to. */
function toldInto(moments: readonly Moment[]): Map<string, string> {
  const into = new Map<string, string>();
  for (const { event } of moments) {
    const { cause, payload, type } = event;
    if (type === "ask.steered" && cause?.ask !== undefined && typeof payload.into === "string")
      into.set(cause.ask, payload.into);
  }
  return into;
}

/** What is alone needs no line above it. */
function groupOf(group: Omit<Group, "inside">, level: number): Node {
  const inside = grouped(group.moments, level + 1, `${group.id}/`);
  const [only] = inside;
  if (only !== undefined && inside.length === 1) return only;
  return { ...group, inside };
}

/** A task's plan is the first of what the task is, though it was planned before there was one. */
function causeOf({ event }: Moment, kind: (typeof LEVELS)[number]): string | undefined {
  if (kind === "task" && event.type === "task.planned" && typeof event.payload.task_id === "string")
    return event.payload.task_id;
  return event.cause?.[kind];
}

/** Windows that were opened, moved and closed, one after the other, are one line. */
function withRuns(nodes: readonly Node[]): Node[] {
  const found: Node[] = [];
  let run: Moment[] = [];
  const end = () => {
    const oldest = run.at(-1)?.event.seq;
    if (run.length < 2) found.push(...run);
    // By its oldest: at the other end it grows.
    else found.push({ id: `windows:${oldest}`, kind: "windows", of: String(oldest), moments: run, inside: run });
    run = [];
  };
  for (const node of nodes) {
    if (!isGroup(node) && node.event.type.startsWith("window.")) run.push(node);
    else {
      end();
      found.push(node);
    }
  }
  end();
  return found;
}

function rowsOf(nodes: readonly Node[], depth: number, open: ReadonlySet<string>, rows: Row[] = []): Row[] {
  for (const node of nodes) {
    if (!isGroup(node)) rows.push(eventRow(node, depth));
    else {
      const row = foldRow(node, depth, open.has(node.id));
      rows.push(row);
      if (row.open) rowsOf(node.inside, depth + 1, open, rows);
    }
  }
  return rows;
}

/** By their newest event. What a line is made of is often read again, and then it is the same line: it needn't be drawn anew. */
const eventRows = new WeakMap<Moment, EventRow>();
const foldRows = new WeakMap<Moment, FoldRow>();

function eventRow(moment: Moment, depth: number): EventRow {
  const before = eventRows.get(moment);
  if (before?.depth === depth) return before;
  const row = { id: `event:${moment.event.seq}`, depth, moment };
  eventRows.set(moment, row);
  return row;
}

function foldRow({ id, kind, of, moments }: Group, depth: number, open: boolean): FoldRow {
  const [newest] = moments;
  const before = newest && foldRows.get(newest);
  const isSame =
    before?.id === id && before.depth === depth && before.open === open && isEqual(before.moments, moments);
  if (isSame) return before;
  const row: FoldRow = { id, depth, kind, of, open, moments };
  if (newest !== undefined) foldRows.set(newest, row);
  return row;
}

function isEqual(one: readonly Moment[], other: readonly Moment[]): boolean {
  return one.length === other.length && one.every((moment, i) => moment === other[i]);
}

function isGroup(node: Node): node is Group {
  return "inside" in node;
}

function newestOf(node: Node): number {
  return (isGroup(node) ? node.moments[0] : node)?.event.seq ?? 0;
}
