import type * as computing from "@choiros/computer";
import { importComputer } from "@choiros/computer";
import { Id, Json, Sha256, Target } from "@choiros/contract";
import { z } from "zod";
import { AskedKey } from "./asked-key.ts";
import { knownOf, spanOf } from "./known.ts";
import { computerAt, operation, type Place, type Work } from "./operation.ts";
import { OperationError } from "./operation-error.ts";
import { Choices, Decision, Exported, Outcome, Preview, Said, Seq } from "./shapes.ts";
import { showChanges } from "./show-changes.ts";
import { whole } from "./whole.ts";

/** What can be asked of a computer that changes something. */

export const acting = { item: Said, answer: Outcome, answersStopped: true } as const;

export const write = operation({
  ...acting,
  makes: "first",
  name: "write",
  request: z.strictObject({
    base: Sha256.nullable().exactOptional(),
    /** Where something else stands, both are put together, or nothing is written. */
    beside: z.literal(false).exactOptional(),
    /** What it belongs to: all that has the same one can be undone together. */
    call: Id.exactOptional(),
    key: AskedKey,
    mode: z.int().min(0).max(0o7777).exactOptional(),
  }),
  async run(place, { call, key, ...options }, work) {
    const cause = call === undefined ? {} : { cause: { call } };
    const input = whole(work);
    const outcome = await act(place, work, (computer) =>
      computer.write(key, input, { ...options, ...named(work), ...cause }),
    );
    if (outcome.ok) for await (const _ of input); // what was done before needs no bytes; but whoever sends them is heard out
    return outcome;
  },
});

export const remove = operation({
  ...acting,
  name: "rm",
  request: z.strictObject({ base: Sha256.exactOptional(), key: AskedKey }),
  run: (place, { key, ...options }, work) =>
    act(place, work, (computer) => computer.remove(key, { ...options, ...named(work) })),
});

export const add = operation({
  ...acting,
  makes: "first",
  name: "add",
  request: z.strictObject({ folder: z.string().min(1), to: AskedKey }),
  run: (place, { folder, to }, work) => act(place, work, (computer) => computer.add(folder, to, named(work))),
});

export const undo = operation({
  ...acting,
  name: "undo",
  request: z.strictObject({ choices: Choices, target: Target }),
  run: (place, { target, choices }, work) =>
    act(place, work, (computer) => computer.undo(target, { choices: choicesOf(choices), ...named(work) }), target),
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
  request: z.strictObject({ at: Seq, key: AskedKey }),
  run: (place, { key, at }, work) => act(place, work, (computer) => computer.restore(key, at, named(work))),
});

export const changeSettings = operation({
  ...acting,
  name: "change-settings",
  request: z.strictObject({ values: z.record(z.string(), Json) }),
  run: (place, { values }, work) =>
    act(place, work, (computer) => computer.changeSettings(new Map(Object.entries(values)), named(work))),
});

export const answer = operation({
  ...acting,
  name: "answer",
  request: z.strictObject({ approval: Id, decision: Decision }),
  run: (place, { approval, decision }, work) =>
    act(place, work, (computer) => computer.answer(approval, decision, named(work))),
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
    if (!done.ok) throw new OperationError(done.message);
    const { hash, notes, seq, stateHash } = done;
    return { hash, notes: [...notes], seq, stateHash };
  },
});

type Act = (computer: computing.Computer) => Promise<computing.Outcome>;

export async function act(place: Place, work: Work<Said>, what: Act, target?: Target): Promise<Outcome> {
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

/** With the id that whoever asks gave it. */
export function named(work: Work<Said>): computing.ActOptions {
  return { ...watching(work), ...(work.id !== undefined && { cause: { call: work.id }, id: work.id }) };
}

export function watching(work: Work<never>): computing.Watching {
  return { onProgress: (progress) => work.progress(progress), signal: work.signal };
}

function choicesOf({ all, each }: Choices): computing.Choices {
  return { ...(all !== undefined && { all }), each: new Map(each) };
}
