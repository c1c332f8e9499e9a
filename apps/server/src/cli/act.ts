import { shownPath } from "@choiros/computer";
import type { Blocked, Conflict, Operation, Outcome, Said, Shown } from "@choiros/gateway/operations";
import { ask } from "./ask.ts";
import type { CommandCall, ExitCode } from "./command.ts";
import { conflictJson, conflictLines, HOW_TO_SETTLE } from "./conflict-text.ts";

type Done = Outcome & { ok: true };

interface Acting<Request> {
  readonly operation: Operation<Request, Said, Outcome>;
  readonly request: Request;
  readonly reads?: boolean;
  /** Bytes in place of those of the standard input. */
  readonly input?: Uint8Array;
  /** Where it isn't there: what to look at. */
  readonly missing?: string;
  /** What was done, in a few words. */
  did(done: Done): string;
}

/** Does something to the computer, and tells what came of it: which call and event, or why not. */
export async function act<Request>(call: CommandCall, acting: Acting<Request>): Promise<ExitCode> {
  const said = new Gathered();
  const outcome = await ask(call, acting.operation, acting.request, {
    reads: acting.reads === true,
    ...(acting.input !== undefined && { input: acting.input }),
    item: (value) => said.take(value),
  }).catch((error: unknown) => {
    // Once it is in the log it isn't stopped any more: it has an answer.
    if (call.terminal.signal.aborted) call.terminal.aside("choir: stopped; nothing has happened");
    throw error;
  });
  if (!outcome.ok) return tellRefusal(call, outcome, said, acting.missing);
  const { beside, changed, notes, seq } = outcome;
  const blocked = said.blocked.map(({ key, why }) => ({ path: shownPath(key), why }));
  const done = { seq, call: outcome.call, changed, ...(beside && { beside: shownPath(beside) }), blocked, notes };
  await call.terminal.out(
    call.json ? JSON.stringify(done) : `${acting.did(outcome)}: event ${seq}, call:${outcome.call}`,
  );
  if (call.json) return 0;
  for (const { path, why } of blocked) {
    call.terminal.aside(`${path} is not in the folder yet: ${why}. It is tried again by itself.`);
  }
  for (const note of notes) call.terminal.aside(note);
  return 0;
}

/** Nothing happened: why, and where somebody has to choose, what from. */
export async function tellRefusal(
  { json, terminal }: CommandCall,
  refused: Outcome & { ok: false },
  { conflicts }: Gathered,
  missing?: string,
): Promise<ExitCode> {
  const { reason, message } = refused;
  terminal.aside(`choir: ${message}`);
  if (reason === "missing" && missing !== undefined) terminal.aside(missing);
  if (reason !== "conflict" && reason !== "choice") return 1;
  if (json) await terminal.out(JSON.stringify({ ok: false, reason, message, conflicts: conflicts.map(conflictJson) }));
  else for (const conflict of conflicts) for (const line of conflictLines(conflict)) await terminal.out(line);
  if (conflicts.length > 0) terminal.aside(HOW_TO_SETTLE);
  return reason === "choice" ? 2 : 3;
}

/** What an action said of single paths. */
export class Gathered {
  readonly blocked: Blocked[] = [];
  readonly conflicts: Conflict[] = [];
  readonly shown: Shown[] = [];

  take(said: Said): void {
    if ("blocked" in said) this.blocked.push(said.blocked);
    else if ("conflict" in said) this.conflicts.push(said.conflict);
    else this.shown.push(said.shown);
  }
}
