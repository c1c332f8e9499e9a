import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { focusOn } from "../focus.ts";
import { faultOfName } from "./name-fault.ts";
import { stemLength } from "./stem-length.ts";

interface NameParts {
  readonly old: string;
  readonly isFolder: boolean;
  /** The names that are taken by others. */
  readonly taken: ReadonlySet<string>;
  /** `undefined`: it keeps the one it has. */
  onName(name: string | undefined): void;
}

/** Where a name is changed, in its own place. What is wrong with it is said as it is typed. */
export function NameField({ old, isFolder, taken, onName }: NameParts) {
  const field = useRef<HTMLInputElement>(null);
  const said = useId();
  const [name, setName] = useState(old);
  const fault = name === old ? undefined : faultOfName(name, taken);
  /** It says so once: a field that goes away is left, too. */
  const over = useRef(false);

  useLayoutEffect(() => {
    focusOn(field.current);
    field.current?.setSelectionRange(0, stemLength(old, isFolder));
  }, [old, isFolder]);

  const end = (given: string | undefined) => {
    if (over.current) return;
    over.current = true;
    onName(given === old ? undefined : given);
  };
  const key = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") end(undefined);
    else if (event.key === "Enter" && fault === undefined) end(name);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={field}
        className="name-field"
        value={name}
        aria-label="New name"
        aria-invalid={fault !== undefined}
        aria-describedby={said}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={key}
        onBlur={() => document.hasFocus() && end(fault === undefined ? name : undefined)}
      />
      <p id={said} className="name-fault" role="status">
        {fault}
      </p>
    </>
  );
}
