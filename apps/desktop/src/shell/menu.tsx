import type { LucideIcon } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import { focusOn } from "../focus.ts";
import { Watched } from "../watched.ts";

export interface MenuItem {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly keys?: string;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  /** A line above it. */
  readonly apart?: boolean;
  run(): void;
}

export interface MenuAt {
  readonly x: number;
  readonly y: number;
  readonly items: readonly MenuItem[];
}

/** The one menu that is open; whoever wants one sets it. */
export const shownMenu = new Watched<MenuAt | undefined>(undefined);

/** A menu at the pointer, or where the keys are. What had the focus has it again afterwards. */
export function Menu({ at, onClose }: { at: MenuAt; onClose(): void }) {
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const place = () => {
      const { current } = list;
      if (current === null) return;
      const { offsetWidth, offsetHeight } = current;
      current.style.left = `${Math.max(4, Math.min(at.x, innerWidth - offsetWidth - 4))}px`;
      current.style.top = `${Math.max(4, Math.min(at.y, innerHeight - offsetHeight - 4))}px`;
    };
    place();
    addEventListener("resize", place);
    return () => removeEventListener("resize", place);
  }, [at]);

  useEffect(() => {
    const before = document.activeElement;
    focusOn(list.current?.querySelector<HTMLElement>("button:enabled"));
    const leave = (event: Event) => {
      if (!(event.target instanceof Node) || list.current?.contains(event.target) !== true) onClose();
    };
    addEventListener("pointerdown", leave, true);
    addEventListener("blur", onClose);
    return () => {
      removeEventListener("pointerdown", leave, true);
      removeEventListener("blur", onClose);
      if (before instanceof HTMLElement && document.activeElement === document.body) focusOn(before);
    };
  }, [onClose]);

  const key = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("button:enabled") ?? [])];
    const now = items.findIndex((item) => item.matches(":focus"));
    const steps: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 };
    const to = steps[event.key];
    if (event.key === "Escape" || event.key === "Tab") onClose();
    else if (to !== undefined) items.at(to % items.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={list} className="menu" role="menu" tabIndex={-1} onKeyDown={key}>
      {at.items.map(({ label, icon: Icon, keys, disabled, danger, apart, run }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          disabled={disabled}
          data-apart={apart}
          data-danger={danger}
          onClick={() => {
            onClose();
            run();
          }}
        >
          {Icon === undefined ? <span className="menu-space" /> : <Icon aria-hidden="true" size={15} />}
          <span className="grow">{label}</span>
          {keys !== undefined && <kbd>{keys}</kbd>}
        </button>
      ))}
    </div>
  );
}
