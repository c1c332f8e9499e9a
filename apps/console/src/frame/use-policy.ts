import { type RefObject, useEffect, useRef, useState } from "react";
import { Policy } from "../server/model-shapes.ts";
import { Problem, sentence } from "../server/problem.ts";
import type { Server } from "../server/server.ts";
import type { Said } from "./said-line.tsx";

/** What was typed and isn't saved, and what it was typed over. */
export interface TypedPolicy {
  readonly text: string;
  readonly over: Policy;
}

/** Outlives the panel: what was typed isn't lost by closing it. */
export type KeptPolicy = RefObject<TypedPolicy | undefined>;

const SAVED = "Saved. It holds at once.";
const USUAL = "Saved. Where nothing is said the defaults hold: they are shown here.";

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Its answer came when nobody was there to hear it. */
function isSaved(typed: TypedPolicy | undefined, { text, usual, version }: Policy): boolean {
  if (typed === undefined || typed.over.version === version) return false;
  return text === (isBlank(typed.text) ? usual : typed.text);
}

/** The rules as the server has them, and as somebody is writing them here. */
export function usePolicy(server: Server, kept: KeptPolicy) {
  const [now, setNow] = useState<Policy>();
  const [typed, setTyped] = useState(kept.current);
  const [said, setSaid] = useState<Said>();
  const saving = useRef(false);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    kept.current = typed;
  }, [kept, typed]);
  useEffect(() => {
    const over = new AbortController();
    const take = (read: Policy) => {
      setNow(read);
      if (isSaved(kept.current, read)) setTyped(undefined);
      else if (kept.current !== undefined)
        setSaid({ good: true, text: "What you typed before is still here. It isn't saved." });
      if (read.problem !== undefined) setSaid({ good: false, text: read.problem });
    };
    server.ask(Policy, "/api/policy", { signal: over.signal }).then(take, (error: unknown) => {
      if (!over.signal.aborted) setSaid({ good: false, text: sentence(error) });
    });
    return () => over.abort();
  }, [server, kept]);

  const text = typed?.text ?? now?.text;
  const type = (next: string) => {
    setTyped((was) => (now === undefined || next === now.text ? undefined : { text: next, over: was?.over ?? now }));
    setSaid((was) => (was?.text === SAVED || was?.text === USUAL ? undefined : was)); // of this it isn't so any more
  };
  const reset = () => {
    if (now === undefined) return;
    type(now.usual);
    setSaid({ good: true, text: "These are the defaults. Save to use them." });
  };
  /** Shows what is saved; what was typed is gone. */
  const drop = () => {
    setTyped(undefined);
    setSaid(undefined);
  };
  const saved = (read: Policy, as: string) => {
    setNow(read);
    setTyped((last) => (last === undefined || last.text === as ? undefined : { text: last.text, over: read }));
    setSaid({ good: true, text: isBlank(as) ? USUAL : SAVED });
  };
  /** Over what is known to be saved; where that isn't it any more, nothing is lost: both are here then. */
  const put = async (over: Policy, next: string) => {
    try {
      saved(await server.ask(Policy, "/api/policy", { method: "POST", body: { text: next, was: over.version } }), next);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 409) throw error;
      const read = await server.ask(Policy, "/api/policy");
      if (read.text === next) return saved(read, next); // its answer was lost
      setTyped((last) => last ?? { text: next, over });
      setNow(read);
      setRefused(true);
      setSaid(undefined);
    }
  };
  const save = async () => {
    if (now === undefined || text === undefined || saving.current) return;
    saving.current = true; // a second press means no other save
    await put(now, text).catch((error: unknown) => setSaid({ good: false, text: sentence(error) }));
    saving.current = false;
  };
  const theirs = now !== undefined && typed !== undefined && typed.over.version !== now.version ? now : undefined;
  return { text, typed, theirs, isRefused, said, isThere: now !== undefined, type, reset, drop, save };
}
