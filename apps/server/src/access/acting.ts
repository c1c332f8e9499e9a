import type * as computing from "@choiros/computer";
import { importComputer } from "@choiros/computer";
import { Sha256, Target } from "@choiros/contract";
import { z } from "zod";
import { CommandError } from "../command-error.ts";
import { knownOf, spanOf } from "./known.ts";
import { computerAt, operation, type Place, type Work } from "./operation.ts";
import { Choices, Exported, Key, Outcome, Preview, Said, Seq } from "./shapes.ts";
import { showChanges } from "./show-changes.ts";

/** What can be asked of a computer that changes something. */

const acting = { item: Said, answer: Outcome, answersStopped: true } as const;

export const write = operation({
  ...acting,
  makes: "first",
  name: "write",
  request: z.strictObject({
    base: Sha256.nullable().exactOptional(),
    key: Key,
    mode: z.int().min(0).max(0o7777).exactOptional(),
  }),
  run: (place, { key, ...options }, work) =>
    act(place, work, (computer) => computer.write(key, whole(work), { ...options, ...watching(work) })),
});

export const remove = operation({
  ...acting,
  name: "rm",
  request: z.strictObject({ key: Key }),
  run: (place, { key }, work) => act(place, work, (computer) => computer.remove(key, watching(work))),
});

export const add = operation({
  ...acting,
  makes: "first",
  name: "add",
  request: z.strictObject({ folder: z.string().min(1), to: Key }),
  run: (place, { folder, to }, work) => act(place, work, (computer) => computer.add(folder, to, watching(work))),
});

export const undo = operation({
  ...acting,
  name: "undo",
  request: z.strictObject({ choices: Choices, target: Target }),
  run: (place, { target, choices }, work) =>
    act(place, work, (computer) => computer.undo(target, { choices: choicesOf(choices), ...watching(work) }), target),
});

export const preview = operation({
  name: "preview",
  request: z.strictObject({ choices: Choices, lines: z.boolean(), target: Target }),
  item: Said,
  answer: Preview,
  async run(place, request, work) {
    const computer = await computerAt(place);
    const found = await computer.preview(request.target, { choices: choicesOf(request.choices), ...watching(work) });
    if ("ok" in found) return refuse(computer, found, work, request.target);
    const { changes, conflicts, ...rest } = found;
    const page = async function* () {
      yield changes;
    };
    for await (const shown of showChanges(computer, page, request.lines)) await work.item({ shown });
    await tellConflicts(computer, conflicts, work, request.target);
    return { ...rest, ok: true as const };
  },
});

export const restore = operation({
  ...acting,
  name: "restore",
  request: z.strictObject({ at: Seq, key: Key }),
  run: (place, { key, at }, work) => act(place, work, (computer) => computer.restore(key, at, watching(work))),
});

export const rebuild = operation({
  name: "rebuild",
  request: z.strictObject({}),
  item: z.never(),
  answer: z.strictObject({ events: z.int(), hash: Sha256 }),
  run: async (place, _, work) => (await computerAt(place)).rebuild(watching(work)),
});

/** The file is one of this machine: whoever asks stands on it, too. */
export const exporting = operation({
  name: "export",
  request: z.strictObject({ file: z.string().min(1) }),
  item: z.never(),
  answer: Exported,
  async run(place, { file }, work) {
    const computer = await computerAt(place);
    return computer.exportTo(file, watching(work));
  },
});

export const importing = operation({
  name: "import",
  request: z.strictObject({ file: z.string().min(1) }),
  item: z.never(),
  answer: z.strictObject({ hash: Sha256, notes: z.array(z.string()), seq: Seq, stateHash: Sha256 }),
  makes: "new",
  async run({ root, userId }, { file }, work) {
    const done = await importComputer({ file, root, userId, ...watching(work) });
    if (!done.ok) throw new CommandError(done.message);
    const { hash, notes, seq, stateHash } = done;
    return { hash, notes: [...notes], seq, stateHash };
  },
});

type Act = (computer: computing.Computer) => Promise<computing.Outcome>;

async function act(place: Place, work: Work<Said>, what: Act, target?: Target): Promise<Outcome> {
  const computer = await computerAt(place);
  work.signal.throwIfAborted(); // nothing has happened yet
  const outcome = await what(computer);
  if (!outcome.ok) return refuse(computer, outcome, work, target);
  const { beside, call, changed, notes, ok, seq } = outcome;
  for (const blocked of outcome.blocked) await work.item({ blocked });
  return { ...(beside !== undefined && { beside }), call, changed, notes, ok, seq };
}

async function refuse(
  computer: computing.Computer,
  refused: computing.Refused,
  work: Work<Said>,
  target: Target | undefined,
) {
  const { ok, reason, message, conflicts = [] } = refused;
  await tellConflicts(computer, conflicts, work, target);
  return { ok, reason, message };
}

/** With more than these, nobody asks where each came from. */
const MANY = 50;

async function tellConflicts(
  computer: computing.Computer,
  conflicts: readonly computing.Conflict[],
  work: Work<Said>,
  target: Target | undefined,
): Promise<void> {
  const span = target === undefined || conflicts.length === 0 ? undefined : await spanOf(computer, target);
  for (const [i, conflict] of conflicts.entries()) {
    work.signal.throwIfAborted();
    const known = span !== undefined && i < MANY ? await knownOf(computer, conflict, span) : {};
    await work.item({ conflict: { ...conflict, known } });
  }
}

/** What comes in, but never a part of it as if it were all: a source that fails leaves nothing behind. */
async function* whole({ input, signal }: Work<Said>): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  stopped.catch(() => {}); // it may come when nobody reads any more
  const pieces = input[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([pieces.next(), stopped]); // more may never come
    signal.throwIfAborted();
    if (next.done === true) return;
    yield next.value;
  }
}

function watching(work: Work<never>): computing.Watching {
  return { onProgress: (progress) => work.progress(progress), signal: work.signal };
}

function choicesOf({ all, each }: Choices): computing.Choices {
  return { ...(all !== undefined && { all }), each: new Map(each) };
}
