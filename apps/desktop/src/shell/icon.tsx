import { FileText, FolderClosed, type LucideIcon } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { appOf } from "../apps/registry.ts";
import type { Point } from "../windows/box.ts";
import { idOf, type Spot } from "./desk-icons.ts";
import type { IconKind } from "./found-things.ts";
import { NameField } from "./name-field.tsx";

interface OneIcon {
  readonly spot: Spot;
  readonly kind: IconKind | undefined;
  readonly cards: boolean;
  readonly first: boolean;
  onOpen(): void;
  onKeyDown(event: KeyboardEvent): void;
  onMenu(at: Point): void;
  onMoved(by: Point): void;
}

export function Icon({ spot, kind, cards, first, onOpen, onKeyDown, onMenu, onMoved }: OneIcon) {
  const { icon: Mark, title } = lookOf(spot, kind);
  const drag = useDrag(onMoved, cards);
  /** A finger that was held for the menu is lifted, too. */
  const held = useRef(false);
  return (
    <button
      id={idOf(spot)}
      type="button"
      className="icon"
      data-gone={kind === "gone"}
      {...(kind === "gone" && { title: "It isn't there any more" })}
      tabIndex={first ? 0 : -1}
      style={cards ? {} : { ...placeOf(spot), ...drag.style }}
      onDoubleClick={onOpen}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        event.preventDefault();
        held.current = true;
        onMenu({ x: event.clientX, y: event.clientY });
      }}
      {...drag.handlers}
      onPointerUp={({ pointerType, button }) => {
        const isPress = drag.by === undefined && !drag.left.current && !held.current;
        if (pointerType !== "mouse" && button === 0 && isPress) onOpen();
        held.current = false;
        drag.end();
      }}
    >
      <span className="icon-tile">
        <Mark aria-hidden="true" size={20} />
      </span>
      <span className="icon-title">{title}</span>
    </button>
  );
}

interface Naming {
  readonly spot: Spot & { readonly key: string };
  readonly kind: IconKind | undefined;
  readonly cards: boolean;
  /** The names that others beside it have. */
  readonly taken: ReadonlySet<string>;
  /** `undefined`: it keeps the one it has. */
  onName(name: string | undefined): void;
}

/** An icon whose file gets another name, in its place. */
export function NamedIcon({ spot, kind, cards, taken, onName }: Naming) {
  const { icon: Mark } = lookOf(spot, kind);
  const old = spot.key.slice(spot.key.lastIndexOf("/") + 1);
  return (
    <div className="icon" style={cards ? {} : placeOf(spot)}>
      <span className="icon-tile">
        <Mark aria-hidden="true" size={20} />
      </span>
      <NameField isFolder={kind === "folder"} {...{ old, taken, onName }} />
    </div>
  );
}

export function lookOf(spot: Spot, kind?: IconKind): { readonly icon: LucideIcon; readonly title: string } {
  if ("key" in spot) {
    const icon = kind === "folder" ? FolderClosed : FileText;
    return { icon, title: spot.title ?? spot.key.slice(spot.key.lastIndexOf("/") + 1) };
  }
  const app = appOf(spot.app);
  return { icon: app?.icon ?? FileText, title: spot.title ?? app?.title ?? spot.app };
}

function placeOf({ column, row }: Spot) {
  return { gridColumn: column + 1, gridRow: row + 1 };
}

/** Less than this is a click with a hand that isn't quite still. */
const STILL = 5;

/** An icon under the pointer, until it is let go. */
function useDrag(onMoved: (by: Point) => void, off: boolean) {
  const [by, setBy] = useState<Point>();
  const start = useRef<Point>(undefined);
  /** It hasn't happened: neither was it pressed. */
  const left = useRef(false);
  const isTaken = by !== undefined;
  useEffect(() => {
    if (!isTaken) return undefined;
    const leave = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      start.current = undefined;
      left.current = true;
      setBy(undefined);
    };
    addEventListener("keydown", leave, { capture: true });
    return () => removeEventListener("keydown", leave, { capture: true });
  }, [isTaken]);
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (off || event.button !== 0) return;
      left.current = false;
      start.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (start.current === undefined) return;
      const next = { x: clientX - start.current.x, y: clientY - start.current.y };
      if (by !== undefined || Math.hypot(next.x, next.y) >= STILL) setBy(next);
    },
    onPointerCancel() {
      start.current = undefined;
      setBy(undefined);
    },
  };
  const end = () => {
    start.current = undefined;
    if (by !== undefined) onMoved(by);
    setBy(undefined);
  };
  const style = by === undefined ? {} : { transform: `translate(${by.x}px, ${by.y}px)`, zIndex: 1 };
  return { by, handlers, end, left, style };
}
