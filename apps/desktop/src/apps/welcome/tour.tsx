import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { focusOn } from "../../focus.ts";
import { type Box, hasCards, type Point } from "../../windows/box.ts";
import { beside } from "./beside.ts";
import { stopsOn } from "./stops.ts";

/** To what is ringed. */
const AROUND = 3;

/** From one part of the desktop to the next: a card beside each. It can be left at any step, and found again in Welcome. */
export function Tour({ onLeave }: { onLeave(): void }) {
  const [step, setStep] = useState(0);
  const screen = useScreen();
  const stops = stopsOn(hasCards(screen));
  const stop = stops[step];
  const card = useRef<HTMLElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState<Box>();
  const [spot, setSpot] = useState<Point>();
  const isLast = step === stops.length - 1;
  const at = stop?.at ?? "";
  useLayoutEffect(() => {
    const box = boxOf(at);
    setShown(box);
    if (card.current === null) return;
    const { offsetHeight: h, offsetWidth: w } = card.current;
    setSpot(beside({ w, h }, box ?? { x: screen.w / 2, y: screen.h, w: 0, h: 0 }, screen));
  }, [at, screen]);
  useEffect(() => focusOn(next.current), [step]);
  if (stop === undefined) return null;
  return createPortal(
    <>
      {shown !== undefined && <Ring {...shown} />}
      <section
        ref={card}
        className="tour"
        aria-label="Tour"
        style={{ left: spot?.x ?? 0, top: spot?.y ?? 0 }}
        onKeyDown={({ key }) => {
          if (key === "Escape") onLeave();
        }}
      >
        <div role="status">
          <h3>{stop.title}</h3>
          <p className="soft">{stop.words}</p>
        </div>
        <footer>
          <span className="faint grow">
            {step + 1} of {stops.length}
          </span>
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
      </section>
    </>,
    document.body,
  );
}

/** Around what is told of; it gets no clicks. */
function Ring({ x, y, w, h }: Box) {
  const style = { left: x - AROUND, top: y - AROUND, width: w + 2 * AROUND, height: h + 2 * AROUND };
  return <div className="tour-ring" aria-hidden="true" style={style} />;
}

/** All of what fits it; `undefined` where nothing of that is in sight. */
function boxOf(selector: string): Box | undefined {
  const boxes = [...document.querySelectorAll(selector)]
    .map((element) => element.getBoundingClientRect())
    .filter(({ width }) => width > 0);
  if (boxes.length === 0) return undefined;
  const [x, y] = [Math.min(...boxes.map(({ left }) => left)), Math.min(...boxes.map(({ top }) => top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  return { x, y, w: right - x, h: bottom - y };
}

function useScreen() {
  const [screen, setScreen] = useState(() => ({ w: innerWidth, h: innerHeight }));
  useEffect(() => {
    const look = () => setScreen({ w: innerWidth, h: innerHeight });
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  return screen;
}
