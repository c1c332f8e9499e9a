import { X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { useHoldFocus } from "./hold-focus.ts";

interface PanelParts {
  readonly title: string;
  readonly children: ReactNode;
  onClose(): void;
}

/** Stands beside the desktop, not over it. What was focused before gets the focus back. */
export function Panel({ title, children, onClose }: PanelParts) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useHoldFocus(heading);
  return (
    <aside className="panel" aria-labelledby={id}>
      <div className="panel-title">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" className="bar-icon" aria-label={`Close ${title}`} onClick={onClose}>
          <X aria-hidden="true" size={15} />
        </button>
      </div>
      <div className="panel-body">{children}</div>
    </aside>
  );
}
