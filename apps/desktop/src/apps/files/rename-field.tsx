import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import type { FileLine } from "../../desk/shapes.ts";
import { focusOn } from "../../focus.ts";
import { faultOfName } from "../../shell/name-fault.ts";
import type { Rect } from "./cells.ts";
import { partOf } from "./keys.ts";
import { stemLength } from "./naming.ts";

interface RenameParts {
  readonly line: FileLine;
  readonly rect: Rect;
  readonly isGrid: boolean;
  /** The names that are taken by others. */
  readonly taken: ReadonlySet<string>;
  /** `undefined`: it keeps the one it has. */
  onName(name: string | undefined): void;
}

/** Where a name is changed, in its own place. What is wrong with it is said as it is typed. */
export function RenameField({ line, rect, isGrid, taken, onName }: RenameParts) {
  const old = partOf(line.key);
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(old);
  const fault = name === old ? undefined : faultOfName(name, taken);
  /** It says so once: a field that goes away is left, too. */
  const over = useRef(false);

  useLayoutEffect(() => {
    focusOn(field.current);
    field.current?.setSelectionRange(0, stemLength(old, line.entry.kind));
  }, [old, line.entry.kind]);

  const end = (given: string | undefined) => {
    if (over.current) return;
    over.current = true;
    onName(given === old ? undefined : given);
  };
  const key = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") end(undefined);
    else if (event.key === "Enter" && fault === undefined) end(name);
    else return;
    event.preventDefault();
  };
  const { x, y, w, h } = rect;
  return (
    <div
      className="files-rename"
      data-grid={isGrid}
      style={{ transform: `translate(${x}px, ${y}px)`, width: w, height: h }}
    >
      <input
        ref={field}
        value={name}
        aria-label="New name"
        aria-invalid={fault !== undefined}
        aria-describedby="files-fault"
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={key}
        onBlur={() => document.hasFocus() && end(fault === undefined ? name : undefined)}
      />
      <p id="files-fault" className="files-fault" role="status">
        {fault}
      </p>
    </div>
  );
}
