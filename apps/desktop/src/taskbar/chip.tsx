import { type ReactNode, useRef, useState } from "react";
import { useLeave } from "./use-leave.ts";

interface ChipParts {
  readonly icon: ReactNode;
  readonly text: string;
  /** More than one has its number on it. */
  readonly count: number;
  /** What that is, for whoever can't see it. */
  readonly what: string;
  readonly title: string;
  readonly className?: string;
  /** A press does this, and opens no list. */
  onPress?: (() => void) | undefined;
  /** What it opens, until somebody turns to something else or leaves it. */
  list(leave: () => void): ReactNode;
}

/** What isn't over, as a chip in the taskbar: one of it by name, how many there are, and a list to open. */
export function Chip({ icon, text, count, what, title, className = "chip", onPress, list }: ChipParts) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const leave = () => setOpen(false);
  useLeave(place, isOpen, leave);
  const opens = onPress === undefined;
  return (
    <div ref={place} className="asks">
      <button
        type="button"
        className={className}
        aria-expanded={opens ? isOpen : undefined}
        title={title}
        onClick={onPress ?? (() => setOpen((now) => !now))}
      >
        {icon}
        <span className="sr-only">{what}:</span>
        <span className="chip-text">{text}</span>
        {count > 1 && <b>{count}</b>}
      </button>
      {isOpen && opens && list(leave)}
    </div>
  );
}
