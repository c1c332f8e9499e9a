import { type Computer, isLikelySecret } from "@choiros/computer";
import { Entry, Envelope } from "@choiros/contract";
import { z } from "zod";
import { CommandError } from "../command-error.ts";
import { EventQuery, Head, Verification } from "./access.ts";
import { commandOf } from "./command-of.ts";
import { computerAt, operation } from "./operation.ts";
import { readEvents } from "./read-events.ts";
import { FileLine, Key, Seq, Shown, Version } from "./shapes.ts";
import { showChanges } from "./show-changes.ts";
import { verifyComputer } from "./verify-computer.ts";

/** What can be asked of a computer that leaves it as it is. */

const Nothing = z.null();

export const events = operation({
  name: "events",
  request: EventQuery,
  /** With `command` where it called one. */
  item: z.strictObject({ command: z.string().exactOptional(), event: Envelope }),
  answer: Nothing,
  async run(place, query, work) {
    await place.takeUp();
    const opened = await place.openStore();
    if (!opened.ok) throw new CommandError(opened.message);
    const { contents, log } = opened.store;
    for await (const event of readEvents(log, query, work.signal)) {
      const command = await commandOf(contents, event);
      await work.item({ ...(command !== undefined && { command }), event });
    }
    work.signal.throwIfAborted(); // it was ended, and is not over
    return null;
  },
});

export const verify = operation({
  name: "verify",
  request: z.strictObject({ expect: Head.exactOptional() }),
  item: z.never(),
  answer: Verification,
  run: (place, { expect }, work) => verifyComputer(place, expect, work),
});

/** Of everything where no key is given. */
export const files = operation({
  name: "files",
  request: z.strictObject({ at: Seq.exactOptional(), key: Key.exactOptional() }),
  item: FileLine,
  answer: z.strictObject({ count: z.int(), found: z.boolean() }),
  async run(place, { at, key }, work) {
    const computer = await computerAt(place);
    await assertMoment(computer, at);
    const one = key === undefined ? undefined : await oneFile(computer, key, at);
    if (one !== undefined) {
      await work.item(one);
      return { count: 1, found: true };
    }
    let count = 0;
    const moment = at === undefined ? {} : { at };
    for await (const page of computer.files({ ...moment, ...(key !== undefined && { under: key }) })) {
      work.signal.throwIfAborted();
      for (const line of page) await work.item(line);
      count += page.length;
    }
    const isArea = key === undefined || !key.includes("/"); // these are always there
    return { count, found: count > 0 || isArea || (await computer.read(key, at)) !== undefined };
  },
});

export const cat = operation({
  name: "cat",
  request: z.strictObject({ at: Seq.exactOptional(), key: Key }),
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

export const history = operation({
  name: "history",
  request: z.strictObject({ key: Key }),
  item: Version,
  answer: Nothing,
  async run(place, { key }, work) {
    const computer = await computerAt(place);
    for await (const version of computer.history(key)) {
      work.signal.throwIfAborted();
      await work.item({ ...version, cause: version.cause === null ? null : { ...version.cause } });
    }
    return null;
  },
});

export const diff = operation({
  name: "diff",
  request: z.strictObject({ from: Seq, lines: z.boolean(), to: Seq.exactOptional() }),
  item: Shown,
  answer: z.strictObject({ from: Seq, to: Seq }),
  async run(place, request, work) {
    const computer = await computerAt(place);
    const to = request.to ?? (await computer.log.head()).seq;
    for (const seq of [request.from, to]) await assertMoment(computer, seq);
    const pages = () => computer.diff(request.from, to);
    for await (const shown of showChanges(computer, pages, request.lines)) {
      work.signal.throwIfAborted();
      await work.item(shown);
    }
    return { from: request.from, to };
  },
});

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
  if (at !== undefined && at > seq) throw new CommandError(`there is no event ${at} yet: the last one is ${seq}`);
}
