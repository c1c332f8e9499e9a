import { X } from "lucide-react";
import type { ReactNode } from "react";
import { count, dayAndTime } from "../../words.ts";
import type { Session, State } from "./session.ts";
import type { Against } from "./use-compared.ts";

interface BannerParts {
  readonly session: Session;
  readonly state: State;
  readonly against: Against | undefined;
  readonly problem: string | undefined;
  onBringBack(against: Against): Promise<void>;
  onStop(): void;
}

/** What somebody should know about this text, and may do about it. Nothing of it stands in the way of typing. */
export function Banners({ session, state, against, problem, onBringBack, onStop }: BannerParts) {
  return (
    <>
      {state.gone && (
        <Banner kind="wrong" words="The file was taken away, or isn't text any more. What you see is still here.">
          <button type="button" className="button" onClick={() => void session.putBack()}>
            Save it again
          </button>
        </Banner>
      )}
      {state.open > 0 && (
        <Banner
          kind="wrong"
          words={`Changed elsewhere in the same lines, at ${count(state.open, "place")}. Both are shown; it is saved when you have chosen.`}
        />
      )}
      {state.restored !== undefined && (
        <Banner
          words={`What you typed until ${dayAndTime(new Date(state.restored).toISOString())} and wasn't saved is here again.`}
        >
          <button type="button" className="button" onClick={() => void session.save()}>
            Save it
          </button>
          <button type="button" className="button quiet" onClick={() => session.discard()}>
            Discard it
          </button>
          <Close name="Leave it at that" onClick={() => session.forget()} />
        </Banner>
      )}
      {against !== undefined && (
        <Banner words={problem ?? `Against the version of ${dayAndTime(against.ts)}: red is what was, green what is.`}>
          {problem === undefined && (
            <button type="button" className="button" onClick={() => void onBringBack(against)}>
              Bring back all of it
            </button>
          )}
          <Close name="Stop comparing" onClick={onStop} />
        </Banner>
      )}
    </>
  );
}

function Banner({ kind = "said", words, children }: { kind?: "said" | "wrong"; words: string; children?: ReactNode }) {
  return (
    <div className="ed-banner" data-kind={kind} role="status">
      <p>{words}</p>
      {children}
    </div>
  );
}

function Close({ name, onClick }: { name: string; onClick(): void }) {
  return (
    <button type="button" className="ed-tool" aria-label={name} title={name} onClick={onClick}>
      <X aria-hidden="true" size={15} />
    </button>
  );
}
