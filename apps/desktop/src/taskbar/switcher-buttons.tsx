import { Layers } from "lucide-react";
import type { ReactNode } from "react";
import type { Desk } from "../desk/desk.ts";
import { switching } from "../shell/keys.ts";
import { useWatched } from "../watched.ts";
import { inTurn } from "../windows/deeds.ts";

/** On a small screen: how many windows there are, and the way to them. */
export function CardsButton({ desk }: { desk: Desk }) {
  const { size } = useWatched(desk.windows);
  return (
    <SwitcherButton desk={desk} label={`Windows: ${size}`} disabled={size === 0}>
      <Layers aria-hidden="true" size={17} />
      {size > 0 && <b>{size}</b>}
    </SwitcherButton>
  );
}

/** For those that the taskbar has no room for. */
export function MoreButton({ desk, count }: { desk: Desk; count: number }) {
  return (
    <SwitcherButton desk={desk} label={`${count} more ${count === 1 ? "window" : "windows"}`}>
      <b>+{count}</b>
    </SwitcherButton>
  );
}

interface SwitcherButtonParts {
  readonly desk: Desk;
  readonly label: string;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

function SwitcherButton({ desk, label, disabled = false, children }: SwitcherButtonParts) {
  const windows = useWatched(desk.windows);
  const open = useWatched(switching) !== undefined;
  return (
    <button
      type="button"
      className="tray-button cards-button"
      aria-label={label}
      title={label}
      aria-expanded={open}
      disabled={disabled}
      onClick={() => switching.set(open ? undefined : { order: inTurn(windows), at: 0 })}
    >
      {children}
    </button>
  );
}
