import type { Computer } from "@choiros/computer";
import { ContentRef, Entry, Id, isLikelySecret, Json, recognise, whoDid } from "@choiros/contract";
import { z } from "zod";
import { AskedKey } from "./asked-key.ts";
import { momentOf } from "./moment-of.ts";
import { computerAt, operation } from "./operation.ts";
import { OperationError } from "./operation-error.ts";
import { EventQuery, Head, Verification } from "./queries.ts";
import { readEvents } from "./read-events.ts";
import { SCRIPTED, scriptedIn } from "./scripted.ts";
import { FileLine, Moment, PathHistory, Seq, Shown, Version } from "./shapes.ts";
import { showChanges } from "./show-changes.ts";
import { verifyComputer } from "./verify-computer.ts";
import { whole } from "./whole.ts";

/** What can be asked of a computer that leaves it as it is. */

const Nothing = z.null();

export const events = operation({
  name: "events",
  request: EventQuery,
  item: Moment,
  answer: Nothing,
  async run(place, query, work) {
    await place.takeUp();
    const opened = await place.openStore();
    if (!opened.ok) throw new OperationError(opened.message);
    const from = { ...opened.store, computer: () => computerAt(place) };
    for await (const moment of readEvents(from, query, work)) await work.item(moment);
    work.signal.throwIfAborted(); // it was ended, and is not over
    return null;
  },
});

/** The events that began what isn't over: commands that run, approvals that wait. */
export const unfinished = operation({
  name: "unfinished",
  request: z.strictObject({}),
  item: Moment,
  /** The last event that was counted in: whoever follows from the next one on misses nothing. */
  answer: z.strictObject({ seq: Seq }),
  async run(place, _, work) {
    const computer = await computerAt(place);
    const { events, seq } = await computer.unfinished();
    for (const event of events) await work.item(await momentOf(computer.contents, event));
    return { seq };
  },
});

export const verify = operation({
  name: "verify",
  request: z.strictObject({ expect: Head.exactOptional() }),
  item: z.never(),
  answer: Verification,
  run: (place, { expect }, work) => verifyComputer(place, expect, work),
});

/** Of everything where no key is given. Where it is not `deep`, of one directory, each with the time it became so, and who made it. */
export const files = operation({
  name: "files",
  request: z
    .strictObject({ at: Seq.exactOptional(), deep: z.boolean().exactOptional(), key: AskedKey.exactOptional() })
    .refine(({ deep, key }) => deep !== false || key !== undefined, "needs the key of the directory that is listed"),
  item: FileLine,
  answer: z.strictObject({ count: z.int(), found: z.boolean() }),
  async run(place, { at, deep = true, key }, work) {
    const computer = await computerAt(place);
    await assertMoment(computer, at);
    const one = key === undefined ? undefined : await oneFile(computer, key, at);
    if (one !== undefined) {
      await work.item(one);
      return { count: 1, found: true };
    }
    let count = 0;
    const moment = at === undefined ? {} : { at };
    const under = key === undefined ? {} : { under: key, direct: !deep };
    for await (const page of computer.files({ ...moment, ...under })) {
      work.signal.throwIfAborted();
      for (const line of deep ? page : await dated(computer, page)) await work.item(line);
      count += page.length;
    }
    const isArea = key === undefined || !key.includes("/"); // these are always there
    return { count, found: count > 0 || isArea || (await computer.read(key, at)) !== undefined };
  },
});

export const cat = operation({
  name: "cat",
  request: z.strictObject({ at: Seq.exactOptional(), key: AskedKey }),
  /** Once, before the bytes. */
  item: z.strictObject({ entry: Entry }),
  answer: z.strictObject({ found: z.boolean() }),
  async run(place, { at, key }, work) {
    const computer = await computerAt(place);
    await assertMoment(computer, at);
    const found = await computer.read(key, at);
    if (found === undefined) return { found: false };
    await work.item({ entry: found.entry });
    if (found.entry.kind === "dir") return { found: true };
    for await (const bytes of found.bytes()) {
      work.signal.throwIfAborted();
      await work.output(bytes);
    }
    return { found: true };
  },
});

/** The contents that events name, apart from those of files. */
const Part = z.enum(["answer", "content", "input", "output", "summary"]);

/** What a command wrote, by the event that says how it ended, or what else an event names; of much, what comes from a place on. */
export const output = operation({
  name: "output",
  request: z.strictObject({ from: z.int().min(0).default(0), part: Part.default("output"), seq: Seq }),
  item: z.never(),
  answer: z.strictObject({ found: z.boolean() }),
  async run(place, { from, part, seq }, work) {
    const computer = await computerAt(place);
    const [event] = await Array.fromAsync(computer.log.read({ from: seq, to: seq }));
    const kept = event && recognise(event).ok ? ContentRef.safeParse(event.payload[part]).data : undefined;
    const bytes = kept && (await computer.contents.get(kept.hash, Math.min(from, kept.size)));
    if (bytes === undefined) return { found: false };
    for await (const piece of bytes) {
      work.signal.throwIfAborted();
      await work.output(piece);
    }
    return { found: true };
  },
});

/** What a command that runs has written, of much the end, and what it writes until it is over. */
export const listen = operation({
  name: "listen",
  request: z.strictObject({ call: Id }),
  item: z.never(),
  answer: z.strictObject({ found: z.boolean() }),
  async run(place, { call }, work) {
    const spoken = (await computerAt(place)).spoken(call);
    if (spoken === undefined) return { found: false };
    for await (const piece of whole({ input: spoken, signal: work.signal })) await work.output(piece);
    return { found: true };
  },
});

export const settings = operation({
  name: "settings",
  request: z.strictObject({ at: Seq.exactOptional() }),
  item: z.never(),
  answer: z.strictObject({ values: z.record(z.string(), Json) }),
  async run(place, { at }) {
    const computer = await computerAt(place);
    await assertMoment(computer, at);
    return { values: Object.fromEntries(await computer.settings(at)) };
  },
});

export const history = operation({
  name: "history",
  request: z.strictObject({ key: AskedKey }),
  item: Version,
  answer: Nothing,
  async run(place, { key }, work) {
    const computer = await computerAt(place);
    const isScripted = scriptedIn(computer);
    for await (const version of computer.history(key)) {
      work.signal.throwIfAborted();
      const cause = version.cause === null ? null : { ...version.cause };
      const scripted = await isScripted(version.source, cause?.ask);
      await work.item({ ...version, cause, ...(scripted && { by: SCRIPTED }) });
    }
    return null;
  },
});

/** All that stood anywhere, by path, without contents: whoever has it knows the tree of every moment. */
export const histories = operation({
  name: "histories",
  request: z.strictObject({}),
  item: PathHistory,
  answer: z.strictObject({ until: Seq }),
  async run(place, _, work) {
    const computer = await computerAt(place);
    const until = (await computer.log.head()).seq;
    for await (const page of computer.histories(until)) {
      work.signal.throwIfAborted();
      for (const [key, versions] of page) await work.item({ key, versions });
    }
    return { until };
  },
});

export const diff = operation({
  name: "diff",
  request: z.strictObject({
    from: Seq,
    /** It, and what is below it; everything unless told. */
    key: AskedKey.exactOptional(),
    lines: z.boolean(),
    to: Seq.exactOptional(),
  }),
  item: Shown,
  answer: z.strictObject({ from: Seq, to: Seq }),
  async run(place, request, work) {
    const computer = await computerAt(place);
    const to = request.to ?? (await computer.log.head()).seq;
    for (const seq of [request.from, to]) await assertMoment(computer, seq);
    const under = request.key === undefined ? {} : { under: request.key };
    const pages = async function* () {
      for await (const page of computer.diff(request.from, to, under)) {
        work.signal.throwIfAborted();
        yield page;
      }
    };
    for await (const shown of showChanges(computer, pages, request.lines)) {
      work.signal.throwIfAborted();
      await work.item(shown);
    }
    return { from: request.from, to };
  },
});

/** With the time of the event that made each so, and who did; many came with the same. */
async function dated(computer: Computer, lines: readonly FileLine[]): Promise<FileLine[]> {
  const seqs = [...new Set(lines.map(({ seq }) => seq))];
  const marks = await computer.log.marks(seqs);
  const isScripted = scriptedIn(computer);
  const whoAndWhen = new Map<number, Pick<FileLine, "by" | "ts">>();
  for (const [i, mark] of marks.entries()) {
    if (mark === undefined) continue;
    const by = (await isScripted(mark.source, mark.ask)) ? SCRIPTED : whoDid(mark);
    whoAndWhen.set(seqs[i] ?? 0, { by, ts: mark.ts });
  }
  return lines.map((line) => ({ ...line, ...whoAndWhen.get(line.seq) }));
}

/** What isn't a directory is listed by itself. */
async function oneFile(computer: Computer, key: string, at: number | undefined): Promise<FileLine | undefined> {
  const found = await computer.read(key, at);
  if (found === undefined || found.entry.kind === "dir") return undefined;
  for await (const { seq } of computer.history(key)) {
    if (at === undefined || seq <= at) return { entry: found.entry, key, secret: isLikelySecret(key), seq };
  }
  return undefined;
}

async function assertMoment(computer: Computer, at: number | undefined): Promise<void> {
  const { seq } = await computer.log.head();
  if (at !== undefined && at > seq) throw new OperationError(`there is no event ${at} yet: the last one is ${seq}`);
}
