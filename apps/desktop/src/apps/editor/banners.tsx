import { X } from "lucide-react";
import type { ReactNode } from "react";
import { dayAndTime } from "../../words.ts";
import type { Session, State } from "./session.ts";
import { bannerWords } from "./state-words.ts";
import type { Against } from "./use-compared.ts";

interface BannerParts {
  readonly session: Session;
  readonly state: State;
  readonly against: Against | undefined;
  readonly problem: string | undefined;
  /** Gives it the keys: what has them goes with what it does. */
  toText(): void;
  /** Where somebody has to choose. */
  onShow(): void;
  /** Once the earlier version is there. */
  readonly onBringBack: (() => Promise<void>) | undefined;
  onStop(): void;
}

/** What somebody should know about this text, and may do about it. Nothing of it stands in the way of typing. */
export function Banners({ session, state, against, problem, toText, onShow, onBringBack, onStop }: BannerParts) {
  const said = bannerWords(state);
  const carryOut = (deed: keyof typeof DEEDS) => {
    toText();
    void DEEDS[deed](session);
  };
  return (
    <>
      {said !== undefined && (
        <Banner kind={said.kind} words={said.words}>
          {said.offers.map((offer) =>
            offer === "close" ? (
              <Close key={offer} name="Leave it at that" onClick={() => carryOut(offer)} />
            ) : offer === "show" || offer === "show next" ? (
              <button key="show" type="button" className="button" title={`${LABELS[offer]} (F8)`} onClick={onShow}>
                {LABELS[offer]}
              </button>
            ) : (
              <button
                key={offer}
                type="button"
                className={offer === "discard" ? "button quiet" : "button"}
                onClick={() => carryOut(offer)}
              >
                {LABELS[offer]}
              </button>
            ),
          )}
        </Banner>
      )}
      {against !== undefined && (
        <Banner words={problem ?? comparedWords(dayAndTime(against.ts), onBringBack !== undefined)}>
          {onBringBack !== undefined && (
            <button type="button" className="button" onClick={() => void onBringBack()}>
              Bring back all of it
            </button>
          )}
          <Close name="Stop comparing" onClick={onStop} />
        </Banner>
      )}
    </>
  );
}

const LABELS = {
  save: "Save it",
  "put back": "Save it again",
  discard: "Discard it",
  show: "Show",
  "show next": "Next",
};
const DEEDS = {
  save: (session: Session) => session.save(),
  "put back": (session: Session) => session.putBack(),
  discard: (session: Session) => session.discard(),
  close: (session: Session) => session.forget(),
};

function comparedWords(when: string, isThere: boolean): string {
  return isThere
    ? `Against the version of ${when}: red is what was, green what is.`
    : `Reading the version of ${when}…`;
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
