import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";

interface ListParts {
  readonly role: "listbox" | "tree";
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  /** The row that has the focus within the list. */
  readonly active: number;
  render(index: number): ReactNode;
  /** What screen readers are told of a row beside its text. */
  aria?(index: number): Record<string, unknown>;
  onActive(index: number): void;
  /** Enter, or a click. */
  onPick?(index: number): void;
  onKey?(event: KeyboardEvent, index: number): void;
  onRange?(first: number, last: number): void;
}

const SPARE = 6;

/** A list of any length of which only what is in sight is on the page. One stop for the Tab key; arrows move within. */
export function VirtualList(parts: ListParts) {
  const { role, label, count, rowHeight, active, render, aria, onActive, onPick, onRange } = parts;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const first = Math.max(0, Math.floor(view.top / rowHeight) - SPARE);
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / rowHeight) + SPARE);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || active < 0) return;
    const top = active * rowHeight;
    const { scrollTop, clientHeight } = element;
    if (top >= scrollTop && top + rowHeight <= scrollTop + clientHeight) return;
    element.scrollTop = top - (clientHeight - rowHeight) / 2;
  }, [active, rowHeight]);

  useEffect(() => {
    if (last >= first) onRange?.(first, last);
  }, [first, last, onRange]);

  const key = (event: KeyboardEvent) => {
    parts.onKey?.(event, active);
    if (event.defaultPrevented) return;
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      End: count - 1,
      Home: 0,
      PageDown: active + page,
      PageUp: active - page,
    };
    const to = moves[event.key];
    if (event.key === "Enter" && active >= 0) onPick?.(active);
    else if (to !== undefined) onActive(Math.min(count - 1, Math.max(0, to)));
    else return;
    event.preventDefault();
  };

  const whole = {
    role,
    tabIndex: 0,
    "aria-label": label,
    "aria-activedescendant": active >= first && active <= last ? `${id}-${active}` : undefined,
    onKeyDown: key,
  };
  const row = (index: number) => ({
    id: `${id}-${index}`,
    role: role === "tree" ? "treeitem" : "option",
    tabIndex: -1,
    "aria-selected": index === active,
    "aria-setsize": count,
    "aria-posinset": index + 1,
    ...aria?.(index),
    onClick: () => {
      onActive(index);
      onPick?.(index);
    },
  });
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  return (
    <div ref={box} className="list" {...whole}>
      <div className="list-all" role="presentation" style={{ height: count * rowHeight }}>
        {rows.map((index) => (
          <div
            key={index}
            className="list-row"
            {...row(index)}
            style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
          >
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
