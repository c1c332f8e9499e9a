import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { focusOn } from "../../focus.ts";

interface Stop {
  /** What is shown; where there is none on this screen, only the words. */
  readonly at: string;
  readonly title: string;
  readonly words: string;
}

const STOPS: readonly Stop[] = [
  {
    at: ".ask-field",
    title: "The bar",
    words:
      "Everything can be said here: commands, names of files and apps, and what you want done. ? or Ctrl K leads to it.",
  },
  {
    at: ".ask-menu",
    title: "All the words",
    words: "What can be said. What you pick fills the bar, so that you learn it.",
  },
  {
    at: ".icons",
    title: "The desktop",
    words: "Apps and files, wherever you put them. Drop files from your machine anywhere.",
  },
  {
    at: ".running",
    title: "Windows",
    words: "What is open. Drag a window to an edge for half of the screen, to the top for all.",
  },
  { at: ".tray", title: "What is going on", words: "Whether all is saved, what the desk had to say, and the time." },
];

/** From one part of the desktop to the next. It can be left at any step, and found again in Welcome. */
export function Tour({ onLeave }: { onLeave(): void }) {
  const [step, setStep] = useState(0);
  const next = useRef<HTMLButtonElement>(null);
  const stop = STOPS[step];
  const isLast = step === STOPS.length - 1;
  useEffect(() => focusOn(next.current), [step]);
  if (stop === undefined) return null;
  return (
    <section
      className="tour"
      aria-label="Tour"
      onKeyDown={({ key }) => {
        if (key === "Escape") onLeave();
      }}
    >
      <p className="faint">
        {step + 1} of {STOPS.length}
      </p>
      <div role="status">
        <h3>{stop.title}</h3>
        <p className="soft">{stop.words}</p>
      </div>
      <footer>
        <button type="button" className="button quiet" onClick={onLeave}>
          Leave
        </button>
        <button type="button" className="button" disabled={step === 0} onClick={() => setStep(step - 1)}>
          Back
        </button>
        <button
          ref={next}
          type="button"
          className="button gold"
          onClick={() => (isLast ? onLeave() : setStep(step + 1))}
        >
          {isLast ? "Done" : "Next"}
        </button>
      </footer>
      <Ring at={stop.at} />
    </section>
  );
}

/** Around what is told of; it gets no clicks. */
function Ring({ at }: { at: string }) {
  const [box, setBox] = useState<DOMRect>();
  useEffect(() => {
    const look = () => setBox(document.querySelector(at)?.getBoundingClientRect());
    look();
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, [at]);
  if (box === undefined || box.width === 0) return null;
  const { height, left, top, width } = box;
  return createPortal(
    <div className="tour-ring" aria-hidden="true" style={{ height, left, top, width }} />,
    document.body,
  );
}
